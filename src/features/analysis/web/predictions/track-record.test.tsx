import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { address } from '#app/web/testing/acts.ts';
import { eachWithItsApp, openApp } from '#app/web/testing/open-app.tsx';
import { failing } from '#app/web/testing/show-card.tsx';
import { backtest, calls, cellOf, replay, roots } from './fixtures.ts';

eachWithItsApp();

const HEAD = 'b'.repeat(64);
const whole = { verified_at: backtest.timestamp, entries: 4100, head: HEAD, roots: 40, faults: [] as string[] };

type Answers = NonNullable<NonNullable<Parameters<typeof openApp>[0]>['calls']>;

const show = (answers: Answers = {}, at = '/app/track-record') =>
  openApp({
    at,
    calls: {
      '/api/backtest': () => Response.json(backtest),
      '/api/track-record/calls': () => Response.json({ calls, next: null }),
      '/api/ledger': () => Response.json({ entries: [], newest: 4100, roots }),
      '/api/track-record/replay': () => Response.json({ mode: 'live', replay }),
      '/api/ledger/verify': () => Response.json(whole),
      ...answers,
    },
  });
const region = (name: string) => screen.findByRole('region', { name });

/** Its text without screen-reader-only content. */
const said = ({ textContent }: Element) => textContent.replaceAll(/Where it comes from: [^.]+\./g, '');

test('empty: no calls yet', async () => {
  show({
    '/api/backtest': () => Response.json({ ...backtest, headline: null, cells: [], recent_results: [] }),
    '/api/track-record/calls': () => Response.json({ calls: [], next: null }),
    '/api/ledger': () => Response.json({ entries: [], newest: 0, roots: [] }),
  });
  expect(await screen.findByText('No calls yet')).toBeDefined();
  expect(await screen.findByText('No matching calls')).toBeDefined();
  expect(await screen.findByText('No roots published yet')).toBeDefined();
});

describe('Track record, order', () => {
  test('skill, then calibration, n and dates, the hit rate, then every call; summary, without consensus or built-in analyst: the track with the most evidence; a cell shows its verdict, its skill and both Brier scores; the equal-weighted consensus next to the past-weighted one', async () => {
    show();
    await screen.findByRole('heading', { level: 3, name: 'Hit rate' });
    await screen.findByRole('heading', { level: 3, name: 'Built-in analyst' });
    await screen.findByRole('heading', { level: 2, name: 'Embed This Badge' });
    const titles = screen.getAllByRole('heading').map(({ textContent }) => textContent);
    expect(titles.filter((title) => title !== 'Models in use' && title !== 'Former models')).toEqual([
      'Track Record',
      'The Record in Brief',
      'Venice',
      'Replay on Past Prices',
      'Built-in analyst',
      'Calibration of “up”, replay',
      'Calibration of “down”, replay',
      'Skill Against the Best Baseline',
      'Venice, 24 hours',
      'Against the baselines',
      'Calibration of “up”',
      'Calibration of “down”',
      'Price ranges',
      'Sample',
      'Hit rate',
      'By asset',
      'Why the Consensus Uses Equal Weights',
      'Daily Price Ranges of All Coins',
      'All Calls and Outcomes',
      'The Ledger',
      'Verify Now',
      'Download',
      'Verify It Yourself',
      'Daily roots',
      'How This Is Computed',
      'Open League',
      'Embed This Badge',
    ]);
    expect((await region('The Record in Brief')).textContent).toContain(
      '24h: no evidence. Brier 0.629 vs 0.655 for base rates over 120 days; 80% ranges held 79.7%.',
    );
    const current = await screen.findByRole('region', { name: 'Models in use' });
    const texts = within(current)
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(texts).toEqual([
      '24 hours+3.9%Brier 0.6291vs 0.6548 (base rates)No evidence',
      '28 days+3.9%Brier 0.6291vs 0.6548 (base rates)Too few windows',
      '24 hours−12.0%Brier 0.6291vs 0.6548 (base rates)Behind',
    ]);
    const pool = await region('Why the Consensus Uses Equal Weights');
    const rows = within(pool).getAllByRole('row').slice(1);
    expect(rows.map(said)).toEqual(['24 hours 0.6312 0.62870.210118590', '28 days 0.6600 0.6610too early1890']);
    expect(pool.textContent).toContain('24 hours, the weights would beVenice 62.0%, Groq 38.0%');
  });

  test('summary: one sentence per horizon, with the baseline, the days and the ranges', async () => {
    const consensus = cellOf({ provider: 'consensus', model: 'equal-weight-pool', ranges: null });
    const waiting = cellOf({ ...consensus, horizon: '7d', n: 0, brier: null, pending: 20 });
    show({ '/api/backtest': () => Response.json({ ...backtest, cells: [consensus, waiting, ...backtest.cells] }) });
    // The frame of the same name, shown while it loads, has no list.
    const items = await waitFor(() =>
      within(screen.getByRole('region', { name: 'The Record in Brief' })).getAllByRole('listitem'),
    );
    const sentences = items.map(({ textContent }) => textContent);
    expect(sentences).toEqual([
      '24h: no evidence. Brier 0.629 vs 0.655 for base rates over 120 days.',
      '7d: no graded call yet. 20 calls are open.',
    ]);
  });

  test('ranges: nominal and actual coverage, next to the past year; baselines, curve, counts, interval and assets of the chosen cell; next to the published score: recalibrated, the interval of the difference, the direction, and the missing rate', async () => {
    show();
    const cell = await region('Venice, 24 hours');
    const row = (name: RegExp) => said(within(cell).getByRole('row', { name }));
    expect(row(/^80%/)).toBe('80% 79.7%7.43% 10.51%10.86%');
    expect(row(/^95%/)).toBe('95% 94.8%12.36% 17.22%–');
    expect(within(cell).getByRole('region', { name: 'Price ranges' }).textContent).toContain('600 graded calls');
    const text = cell.textContent;
    for (const words of [
      'Persistence',
      '0.6715',
      'Always up',
      '1.3433',
      'Uniform',
      '0.6667',
      'between 32.9% and 50.3%',
    ])
      expect(text).toContain(words);
    for (const words of ['Independent windows (n_eff)', '119', '3 (0.5%)', 'Missed (no answer)', '98.1%'])
      expect(text).toContain(words);
    within(cell).getByRole('img', {
      name: 'Calibration of up. Forecast 15%, observed 10%, n = 40. Forecast 42%, observed 40%, n = 110.',
    });
    expect(within(cell).getByRole('row', { name: /^SUI \+1\.5% 0\.6400 40\.0% 120$/ })).toBeDefined();
    const spoken = said(cell);
    for (const words of [
      'Recalibrated 0.6244',
      '\u22120.0257, \u22120.0612 to +0.0103',
      'Direction test p 0.163 (54.6% right)',
      'Missed (no answer) 12 (1.9%)',
    ])
      expect(spoken).toContain(words);
  });

  test('a former model has its own track', async () => {
    show();
    const former = await screen.findByRole('region', { name: 'Former models' });
    expect(former.textContent).toContain('Groqllama-old');
    await userEvent.click(within(former).getByRole('button', { name: /^24 hours/ }));
    expect((await region('Groq, 24 hours')).textContent).toContain(
      'llama-old, no longer in use. Statistically better than every baseline',
    );
  });

  test('marks a direction that cannot be tested', async () => {
    const constant = cellOf({ direction: null });
    show({ '/api/backtest': () => Response.json({ ...backtest, headline: constant, cells: [constant] }) });
    expect(said(await region('Venice, 24 hours'))).toContain('Direction test Not testable');
  });

  test('where weights are used, the page states it', async () => {
    const pools = backtest.pools.map((pool) => ({ ...pool, used: pool.horizon === '24h' }));
    show({ '/api/backtest': () => Response.json({ ...backtest, pools }) });
    const pool = await region('How the Consensus Is Weighted');
    expect(pool.textContent).toContain('24 hours, the weights in useVenice 62.0%, Groq 38.0%');
  });

  test('the picker changes track and horizon', async () => {
    show();
    await userEvent.click(within(await region('Venice, 24 hours')).getByRole('radio', { name: '28d' }));
    const longer = await region('Venice, 28 days');
    expect(longer.textContent).toContain('Too few independent windows');
    await userEvent.selectOptions(within(longer).getByRole('combobox', { name: 'Track' }), 'Groq · gpt-oss');
    expect(await region('Groq, 24 hours')).toBeDefined();
    expect(address()).toBe(`/app/track-record?${new URLSearchParams({ cell: 'groq~gpt-oss~24h' }).toString()}`);
  });
});

describe('every call and its outcome', () => {
  test('open, graded and void, each with its outcome; the latest thirty roots, each to copy, and both files; verified by a button: entries, head and roots', async () => {
    show();
    const rows = within(await screen.findByRole('region', { name: 'Calls' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/ETHVenice zai-org-glm-524hUp20 · 30 · 50–––Until 22 Nov 2026, 12:00300$/),
      expect.stringMatching(/BTC.*Up\+2\.02%\$94,123\.40 – \$99,876\.50 ✓, price ended inside✓ Hit200 → 300$/),
      expect.stringMatching(/––Void: No price was stored within a day of that time150 → 260$/),
    ]);
    await screen.findByText(roots.at(-1)?.day ?? '');
    const ledger = await region('The Ledger');
    expect(within(ledger).getAllByRole('button', { name: 'Copy' })).toHaveLength(30);
    const links = within(ledger).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/api/ledger/export?format=json',
      '/api/ledger/export?format=csv',
    ]);
    await userEvent.click(await screen.findByRole('button', { name: 'Verify the ledger' }));
    expect(await screen.findByText('✓ All 4,100 entries verified')).toBeDefined();
    expect(screen.getByText(HEAD)).toBeDefined();
  });
});

test('an address shows its cell and its calls; what no filter has is omitted', async () => {
  const { fetch } = show({}, '/app/track-record?cell=groq~gpt-oss~24h&horizon=28d&state=lost&asset=ETH');
  expect(await region('Groq, 24 hours')).toBeDefined();
  await screen.findByRole('region', { name: 'Calls' });
  const asked = new Set(fetch.mock.calls.map(([url]) => url).filter((url) => url.includes('/calls')));
  expect([...asked]).toEqual(['/api/track-record/calls?asset=ETH&horizon=28d&limit=25']);
});

describe('the ledger', () => {
  test('describes faults in words', async () => {
    const faults = ['Entry 7 was modified: its hash does not match', 'Entry 9 is missing'];
    show({ '/api/ledger/verify': () => Response.json({ ...whole, faults }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Verify the ledger' }));
    expect(await screen.findByText('✕ 2 errors found')).toBeDefined();
    for (const fault of faults) expect(screen.getByText(fault)).toBeDefined();
  });

  test('reports a failed verification', async () => {
    show({ '/api/ledger/verify': () => failing() });
    await userEvent.click(await screen.findByRole('button', { name: 'Verify the ledger' }));
    expect(await screen.findByText('Couldn’t verify the ledger')).toBeDefined();
  });
});

describe('Track record, the replay', () => {
  const name = 'Replay on Past Prices';

  test('its summary, days, sources, chain and candles', async () => {
    show();
    await screen.findByText('Not part of the live record');
    const card = await region(name);
    const said =
      /24h: ahead\. .* over 1,272 days; 80% ranges held 79\.7%\..*12 Oct 2022 to 19 Nov 2026, OKX.*41,230 entries/;
    expect(card.textContent).toMatch(said);
    const link = within(card).getByRole('link', { name: 'Candles, CSV' });
    expect(link.getAttribute('href')).toBe('/api/track-record/replay/candles');
  });

  test('its reliability diagrams, at each scored horizon', async () => {
    const [day] = replay.record.cells;
    const points = [{ from: 0.3, to: 0.4, forecast: 0.35, observed: 0.5, count: 7 }];
    const up = { ...cellOf().calibration?.up, points };
    const week = { ...day, horizon: '7d', calibration: { up, down: up } };
    const month = { ...day, horizon: '28d', calibration: null };
    const longer = { ...replay, record: { ...replay.record, cells: [day, week, month] } };
    show({ '/api/track-record/replay': () => Response.json({ mode: 'live', replay: longer }) });
    await screen.findByText('Not part of the live record');
    const card = within(await region(name));
    const labels = () => card.getAllByRole('img').map((each) => each.getAttribute('aria-label'));
    expect(labels()).toEqual([
      'Calibration of up, replay. Forecast 15%, observed 10%, n = 40. Forecast 42%, observed 40%, n = 110.',
      'Calibration of down, replay. Forecast 15%, observed 10%, n = 40. Forecast 42%, observed 35%, n = 110.',
    ]);
    expect(card.getByRole('region', { name: 'Calibration of “up”, replay' }).textContent).toContain('0.0120');
    expect(card.queryByRole('radio', { name: '28d' })).toBeNull();
    await userEvent.click(card.getByRole('radio', { name: '7d' }));
    expect(labels()[0]).toBe('Calibration of up, replay. Forecast 35%, observed 50%, n = 7.');
  });

  test.each([
    ['live', 'The replay is being prepared'],
    ['demo', 'No replay in demo mode'],
    ['none', 'Failed to load the replay'],
  ])('without a replay or a first call (%s): %s', async (mode, title) => {
    const answer = () => (mode === 'none' ? failing() : Response.json({ mode, replay: null }));
    const empty = () => Response.json({ ...backtest, headline: null, cells: [] });
    show({ '/api/backtest': empty, '/api/track-record/replay': answer });
    await screen.findByText(title);
    expect(within(await region(name)).getByText(title)).toBeDefined();
  });
});
