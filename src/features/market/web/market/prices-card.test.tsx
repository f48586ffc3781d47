// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { type Answers, showCard } from '#app/web/testing/show-card.tsx';
import { type Expectations, ExpectedRanges } from './expected-ranges.ts';
import { meta, NOON, others, sources, top, totals } from './fixtures.ts';
import { PricesCard } from './prices-card.tsx';
import { ticks } from './tick-store.ts';

const [bitcoin] = top;
const CANDLES = { range: '24h', interval: '5m', history: 'complete', candles: [], meta: null };
let answers: Answers;

beforeEach(() => {
  answers = {
    '/api/prices/sparklines': () => Response.json({ timestamp: new Date(NOON).toISOString(), series: {} }),
    '/api/coins/bitcoin': () =>
      Response.json({
        coin: bitcoin,
        quotes: [
          { source: 'coingecko', price: 97_412.5, volume_24h: 1e9, market_cap: 1e12, change_24h: 1, meta: meta() },
          {
            source: 'kraken',
            price: 97_400,
            volume_24h: null,
            market_cap: null,
            change_24h: null,
            meta: meta({ source: 'kraken', observedMs: NOON - 15 * 60_000 }),
          },
        ],
      }),
    '/api/coins/bitcoin/candles': () => Response.json(CANDLES),
  };
});

function Page() {
  const [selected, setSelected] = useState<string | null>(null);
  const rows = [...top, ...others];
  return (
    <PricesCard
      data={{ rows, totals, sources, collection: 'noon' }}
      failed={null}
      onRetry={() => {}}
      selected={selected}
      onSelect={setSelected}
    />
  );
}

const open = (expected?: Expectations) =>
  showCard(
    <ExpectedRanges value={expected}>
      <Page />
    </ExpectedRanges>,
    answers,
  );

const symbols = () =>
  screen
    .queryAllByRole('rowheader')
    .map((cell) => cell.querySelector('[aria-expanded] > span')?.firstChild?.textContent);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const asset = (name: string) => screen.getByRole('button', { name });

describe('expanding', () => {
  test('shows every coin by market cap, and returns to five', async () => {
    open();
    expect(symbols()).toHaveLength(5);
    await press('Show all 8');
    expect(symbols()).toEqual(['BTC', 'ETH', 'XRP', 'SOL', 'DOGE', 'ADA', 'SUI', 'QUIET']);
    expect(screen.queryByText('+3 more coins')).toBeNull();
    await press('Show top 5');
    expect(symbols()).toEqual(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']);
  });

  test('a column sorts descending, ascending, then not at all, and indicates it', async () => {
    open();
    await press('Show all 8');
    const head = () => screen.getByRole('columnheader', { name: '24h' }).getAttribute('aria-sort');
    expect(head()).toBe('none');
    await press('24h');
    expect([head(), symbols()[0], symbols().at(-1)]).toEqual(['descending', 'ADA', 'QUIET']);
    await press('24h');
    expect([head(), symbols()[0], symbols().at(-1)]).toEqual(['ascending', 'DOGE', 'QUIET']);
    await press('24h');
    expect([head(), symbols()[0]]).toEqual(['none', 'BTC']);
  });

  test('search filters the list, and reports when nothing matches', async () => {
    open();
    await press('Show all 8');
    const field = screen.getByRole('searchbox', { name: 'Search coins' });
    await userEvent.type(field, 'car');
    await waitFor(() => expect(symbols()).toEqual(['ADA']));
    await userEvent.clear(field);
    await userEvent.type(field, 'zzz');
    expect(await screen.findByText('No coins match “zzz”')).toBeDefined();
  });
});

test('a pasted link shows the same list; default values add no parameter', async () => {
  history.replaceState(null, '', '/app?list=all&search=a&sort=price-asc');
  open();
  expect(symbols()).toEqual(['ADA', 'SOL']);
  await press('Show top 5');
  expect([location.search, symbols().length]).toEqual(['', 5]);
});

describe('watchlist', () => {
  test.each(['not json', '{"a":1}', '[1,null]'])('a corrupt list (%s) counts as empty', async (stored) => {
    localStorage.setItem('watchlist', stored);
    open();
    await press('Watchlist');
    expect(screen.getByText('No coins on your watchlist')).toBeDefined();
  });
});

test('lists the sources of its numbers, ticks included, and no others', async () => {
  open();
  const listed = () =>
    within(screen.getByRole('heading', { name: 'Sources' }).parentElement as HTMLElement)
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  expect(listed()).toEqual(['CoinGeckoonline']);
  act(() => ticks.push({ at: NOON, sources: ['OKX'], ticks: [['bitcoin', 97_500, 1.9, 1.94e12, 0, NOON + 5_000]] }));
  await waitFor(() => expect(listed()).toEqual(['CoinGeckoonline', 'OKXonline']));
  act(() => ticks.clear());
});

describe('a coin’s detail view', () => {
  const detail = () => screen.findByRole('region', { name: 'Bitcoin details' });

  test('shows the provenance of the price', async () => {
    open();
    await userEvent.click(asset('BTC Bitcoin'));
    const text = (await detail()).textContent;
    for (const words of [
      'Measured: as reported by the source',
      '21 Nov 2026, 11:59:48 UTC',
      '21 Nov 2026, 12:09:48 UTC',
    ])
      expect(text).toContain(words);
  });

  test('its known ranges are shown below its chart; not those of other coins, nor an ended one', async () => {
    const range = {
      provider: 'local',
      crypto_symbol: 'BTC',
      horizon: '24h',
      issued_at: new Date(NOON).toISOString(),
      price: 97_000,
      range_80: { low: 94_123.4, high: 99_876.5 },
      range_95: { low: 91_000, high: 103_400 },
    };
    open({
      aiAnalysis: {
        ranges: [
          { ...range, issued_at: new Date(NOON - 25 * 3_600_000).toISOString() },
          { ...range, horizon: '7d' },
          range,
          { ...range, crypto_symbol: 'ETH' },
        ],
        providers: { local: { name: 'Built-in analyst' } },
      },
      backtestResults: { cells: [{ provider: 'local', horizon: '24h', ranges: { n: 1234, coverage_80: 0.797 } }] },
    });
    await userEvent.click(asset('BTC Bitcoin'));
    const expected = within(await detail()).getByRole('region', { name: 'Expected ranges' });
    expect(
      within(expected)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '$94,123.40 – $99,876.5095%: $91,000.00 – $103,400.0080% held 79.7% of 1,234 times',
      '$94,123.40 – $99,876.5095%: $91,000.00 – $103,400.00No range graded yet',
    ]);
    expect(expected.textContent).toContain('Built-in analyst, issued 21 Nov 2026, 12:00:00 UTC.');
  });

  describe('ranges of a coin without an analysis', () => {
    const range = {
      horizon: '24h',
      issued_at: new Date(NOON - 12 * 3_600_000 + 333_000).toISOString(),
      starts_at: new Date(NOON - 12 * 3_600_000).toISOString(),
      price: 0.4,
      range_80: { low: 0.38, high: 0.42 },
      range_95: { low: 0.36, high: 0.44 },
      record: null,
      replay: { n: 299, coverage_80: 0.801, coverage_95: 0.95 },
      meta: meta({ source: 'Built-in analyst' }),
    };
    const shown = async (ranges: object[]) => {
      answers['/api/coins/dogecoin/ranges'] = () => Response.json({ id: 'dogecoin', ranges });
      open({});
      await press('Show all 8');
      await userEvent.click(asset('DOGE Dogecoin'));
      const panel = within(await screen.findByRole('region', { name: 'Dogecoin details' }));
      return panel.findByRole('region', { name: 'Expected ranges', busy: false });
    };

    test('are loaded for it, with past coverage, live and replayed separately', async () => {
      const { textContent } = await shown([range, { ...range, horizon: '7d', record: { ...range.replay, n: 40 } }]);
      expect(textContent).toContain('Built-in analyst, from the price at 21 Nov 2026, 00:00:00 UTC.');
      expect(textContent).not.toContain('too late');
      expect(textContent).toContain(
        '$0.380000 – $0.42000095%: $0.360000 – $0.440000No range graded yetReplay on past days: 80% held 80.1% of 299 times',
      );
      expect(textContent).toContain('80% held 80.1% of 40 times');
    });

    test('state when they were issued too late to count', async () => {
      const { textContent } = await shown([{ ...range, issued_at: new Date(NOON).toISOString() }]);
      expect(textContent).toContain('Issued 21 Nov 2026, 12:00:00 UTC: too late to count in the record.');
    });

    test('without any, it states why', async () => {
      const { textContent } = await shown([]);
      expect(textContent).toContain('it takes 40 days of price history. Stablecoins have none.');
    });
  });

  test.each([
    ['History is being collected', () => Response.json({ ...CANDLES, history: 'loading' })],
    ['No history for this range', () => Response.json({ ...CANDLES, history: 'unavailable' })],
    ['Failed to load the chart', () => Response.json({ error: 'Down', code: 'unavailable' }, { status: 503 })],
  ])('chart: %s', async (words, answer) => {
    answers['/api/coins/bitcoin/candles'] = answer;
    open();
    await userEvent.click(asset('BTC Bitcoin'));
    expect(await within(await detail()).findByText(words)).toBeDefined();
  });

  test('chart: a range beyond the plan explains it and links to the plans', async () => {
    const error = 'Your plan includes the last 30 days. Pro includes full history.';
    answers['/api/coins/bitcoin/candles'] = () => Response.json({ error, code: 'upgrade_required' }, { status: 403 });
    open();
    await userEvent.click(asset('BTC Bitcoin'));
    const panel = within(await detail());
    expect(await panel.findByText(error)).toBeDefined();
    expect(panel.getByRole('link', { name: 'Upgrade to Pro' }).getAttribute('href')).toBe('/app/subscription');
    expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  test('requests the chosen range', async () => {
    const { fetch } = open();
    await userEvent.click(asset('BTC Bitcoin'));
    await detail();
    await userEvent.click(screen.getByRole('radio', { name: '30d' }));
    const asked = () => fetch.mock.calls.map(([url]) => url);
    await vi.waitFor(() => expect(asked()).toContain('/api/coins/bitcoin/candles?range=30d'));
  });
});
