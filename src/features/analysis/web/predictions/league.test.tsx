import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { address } from '#app/web/testing/acts.ts';
import { eachWithItsApp, openApp } from '#app/web/testing/open-app.tsx';
import { failing } from '#app/web/testing/show-card.tsx';
import { getForecaster, getLeague, type LeagueCell } from '#features/analysis/contract/league.ts';
import { backtest, cellOf, NOT_YET, recorded } from './fixtures.ts';

eachWithItsApp();

const { timestamp } = backtest;
const TRACK = { provider: 'league:12', model: 'league' };
const who = { name: 'alpha', track: 'league:12', joined_at: '2026-11-12T08:30:00.000Z', forecasts: 1240, open: 35 };

const leagueCell = (change: Partial<LeagueCell> = {}): LeagueCell => ({
  ...cellOf({ ...TRACK, missing: 0, verdict: 'ahead', p_ahead: 0.01 }),
  contribution: { n: 480, gain: 0.00214 },
  ...change,
});
const row = (name: string, cell: LeagueCell | null) => ({ ...who, name, track: `league:${name}`, cell });

const league = getLeague.reply.parse({
  timestamp,
  horizon: '24h',
  total: 240,
  forecasters: [
    row('alpha', leagueCell()),
    row('beta', leagueCell({ verdict: 'no evidence', skill: -0.021, ranges: null })),
    row('gamma', leagueCell({ verdict: 'no evidence', p_ahead: null, n_eff: 12, dates: 12, contribution: null })),
    row('delta', null),
  ],
});
const forecaster = getForecaster.reply.parse({
  scored_at: '2026-11-20T12:13:00.000Z',
  scored_through: 900,
  league_through: 900,
  timestamp,
  forecaster: who,
  cells: [leagueCell(), leagueCell({ horizon: '7d', n: 0, brier: null, skill: null, pending: 30, contribution: null })],
});

/** Its text without screen-reader-only content. */
const textOf = ({ textContent }: Element) =>
  textContent.replaceAll(/(Where it comes from|Why it is missing): [^.]+\./g, '');
const table = () => screen.findByRole('region', { name: 'Standings table' });

describe('the standings', () => {
  const show = (answer: (url: string) => Response = () => Response.json(league), at = '/app/track-record/league') =>
    openApp({ at, calls: { '/api/league': answer } });

  test('in server order; a rank from 60 independent days on, else a reason', async () => {
    show();
    const rows = within(await table())
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(textOf)).toEqual([
      '1alphaDays graded: 120Ahead +3.9% 0.6291 vs 0.6548 (base rates) 79.7% +0.0021 n = 480120',
      '2betaDays graded: 120No evidence −2.1% 0.6291 vs 0.6548 (base rates) – +0.0021 n = 480120',
      ' –gammaDays graded: 12No evidence +3.9% 0.6291 vs 0.6548 (base rates) 79.7% –12',
      ' –deltaNot graded yet – – – –0',
    ]);
    const links = within(await table()).getAllByRole('link');
    expect(links[0]?.getAttribute('href')).toBe('/app/track-record/league/alpha');
    expect(screen.getByText('4 of 240 shown')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: /^Why it is missing: Rank, gamma/ }));
    expect(await screen.findByText('A rank requires 60 independent days; this forecaster has 12.')).toBeDefined();
  });

  test('the horizon is in the address, 24h is omitted', async () => {
    const asked: string[] = [];
    show((url) => {
      asked.push(url.split('?')[1] ?? '');
      return Response.json(league);
    }, '/app/track-record/league?horizon=28d');
    await table();
    await userEvent.click(screen.getByRole('radio', { name: '7d' }));
    expect(address()).toBe('/app/track-record/league?horizon=7d');
    await userEvent.click(screen.getByRole('radio', { name: '24h' }));
    expect(address()).toBe('/app/track-record/league');
    await table();
    expect(asked).toEqual(['horizon=28d', 'horizon=7d', 'horizon=24h']);
  });

  test('an error offers Retry; empty explains how to be the first, with a sample to copy', async () => {
    let broken = true;
    show(() => (broken ? failing() : Response.json({ ...league, total: 0, forecasters: [] })));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to load the standings');
    broken = false;
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No one has forecast yet')).toBeDefined();
    expect(screen.getByRole('link', { name: 'API keys' }).getAttribute('href')).toBe('/app/profile?tab=api-keys');
    expect(screen.getByRole('region', { name: 'Sample forecast' }).textContent).toContain(
      `curl -X POST "${location.origin}/api/v1/forecasts"`,
    );
  });
});

describe('a forecaster page', () => {
  const missing = () => Response.json({ error: 'No forecaster has this name', code: 'not_found' }, { status: 404 });
  const show = (answer: () => Response) =>
    openApp({
      at: '/app/track-record/league/alpha',
      calls: {
        '/api/league/alpha': answer,
        '/api/track-record/calls': () =>
          Response.json({ calls: [recorded(300, { ...TRACK, ...NOT_YET, state: 'open' })], next: null }),
      },
    });

  test('summary, details, contribution, calls and badge, all under the public name', async () => {
    const { fetch } = show(() => Response.json(forecaster));
    expect(await screen.findByText('Joined 12 Nov 2026 · 1,240 forecasts, 35 open')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('alpha');
    await screen.findByText(/^24h: ahead/);
    const brief = screen.getByRole('region', { name: 'In Brief' });
    const sentences = within(brief).getAllByRole('listitem');
    expect(sentences.map(({ textContent }) => textContent)).toEqual([
      '24h: ahead. Brier 0.629 vs 0.655 for base rates over 120 days; 80% ranges held 79.7%.',
      '7d: no graded call yet. 30 calls are open.',
    ]);
    expect(textOf(within(brief).getByRole('row', { name: /^24 hours/ }))).toBe('24 hours +0.0021 n = 480');
    const details = screen.getByRole('region', { name: 'alpha, 24 hours' });
    expect(within(details).queryByRole('combobox', { name: 'Track' })).toBeNull();
    expect(details.textContent).not.toContain('Missing: asked');
    const calls = await screen.findByRole('region', { name: 'Calls' });
    expect(within(calls).getAllByRole('row')[1]?.textContent).toMatch(/BTC24hUp/);
    expect(fetch.mock.calls.map(([url]) => url)).toContain('/api/track-record/calls?provider=league%3A12&limit=25');
    const badge = await screen.findByRole('img', { name: 'alpha in the Meridian open league, 24h' });
    expect(badge.getAttribute('src')).toBe('/widgets/track-record.svg?horizon=24h&record=league&track=alpha');
    expect(screen.getByRole('region', { name: 'Badge Markdown' }).textContent).toContain(
      `(${location.origin}/app/track-record/league/alpha)`,
    );
    expect(document.body.textContent).not.toContain('league:12');
  });

  test('before the first grade it shows when grading starts', async () => {
    const open = leagueCell({ horizon: '7d', n: 0, brier: null, skill: null, pending: 5, contribution: null });
    show(() => Response.json({ ...forecaster, cells: [open] }));
    expect(await screen.findByText('No forecasts graded yet')).toBeDefined();
    expect(screen.getByText('Grading starts 7 days after the first forecast.')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'alpha, 7 days' })).toBeNull();
  });

  test('an unknown name links back to the league', async () => {
    show(missing);
    expect(await screen.findByText('No forecaster has this name')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to the Open League' }).getAttribute('href')).toBe(
      '/app/track-record/league',
    );
    expect(screen.queryByRole('region', { name: 'Embed This Badge' })).toBeNull();
  });
});
