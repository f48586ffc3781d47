import { describe, expect, test } from 'vitest';

import { analysisOf, recordOf } from '#features/analysis/web/analysis/fixtures.ts';
import type { Event } from '#features/events/contract.ts';
import { coin, meta, NOON, totals } from '#features/market/web/market/fixtures.ts';
import { metrics } from '#features/market/web/metrics/fixtures.ts';
import { brief } from '#features/site/contract/brief.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardOf } from '#features/site/web/dashboard/fixtures.ts';
import { buildBrief } from './service/brief.ts';

const DAY_MS = 86_400_000;
const iso = (days: number) => new Date(NOON + days * DAY_MS).toISOString();

const event = (id: number, days: number, change: Partial<Event> = {}) =>
  ({
    id,
    title: `Event ${id}`,
    impact: 'high',
    category: 'fed',
    date: iso(days),
    allDay: false,
    dateEstimated: false,
    source: 'Federal Reserve',
    status: days > 0 ? 'upcoming' : 'past',
    checkedAt: iso(0),
    figures: null,
    ...change,
  }) as Event;

function lines(change: Partial<Dashboard> = {}, events: Event[] = []) {
  const dashboard = { ...dashboardOf(NOON, { cryptoPrices: [], totals, sources: [] }), ...change };
  const deps = { inflation: { newestPrint: () => null, latest: () => ({}) as never }, events: { list: () => events } };
  const value = brief.parse(buildBrief(deps, dashboard));
  return Object.fromEntries(value.lines.map((line) => [line.topic, line]));
}
const texts = (line: ReturnType<typeof lines>[string] | undefined) => line?.clauses.map(({ text }) => text);

describe('the market brief', () => {
  test('has five lines; one without facts explains why', () => {
    const none = { market_cap: null, volume_24h: null, change_24h: null, coins: 0, meta: null };
    const empty = lines({ totals: none });
    expect(Object.values(empty).map(({ title, clauses, missing }) => [title, clauses.length, missing])).toEqual([
      ['Market', 0, 'Market totals are not available yet.'],
      ['Coins', 0, 'No fresh prices.'],
      ['Positioning', 0, 'Derivatives and sentiment are not available yet.'],
      ['Outlook', 0, 'No analysis yet.'],
      ['Calendar', 0, 'No releases this week and no high-impact events scheduled.'],
    ]);
  });

  test('names Bitcoin and the extremes of the top 100, with fresh prices only', () => {
    const rows = [
      coin({ id: 'bitcoin', name: 'Bitcoin', price: 73_498, change_24h: 1.24 }),
      coin({ id: 'up', name: 'Up', change_24h: 12 }),
      coin({ id: 'down', name: 'Down', change_24h: -8.05 }),
      coin({ id: 'small', name: 'Small', rank: 101, change_24h: 90 }),
      coin({ id: 'old', name: 'Old', change_24h: -50, meta: meta({ staleAfter: iso(-1) }) }),
    ];
    const { coins } = lines({ cryptoPrices: rows });
    expect(texts(coins)).toEqual([
      'Bitcoin $73,498.00, +1.2% in 24h',
      'Top gainer: Up +12.0%',
      'Top loser: Down −8.1%',
    ]);
    expect(coins?.clauses[1]).toMatchObject({
      href: '/app/figures/price:up',
      meta: { metric: 'coin.change', source: 'coingecko' },
    });
  });

  test('positioning has the known figures, each with its own origin', () => {
    const known = lines({ advancedMetrics: metrics })['positioning'];
    expect(known?.clauses.map(({ text, meta: { metric } }) => [metric, text])).toEqual([
      ['funding.btc', 'BTC funding +0.0088% per 8h'],
      ['oi.total', 'Open interest $118.40B'],
      ['liquidations.total', '24h liquidations $332.30M, 39% long'],
      ['fear_greed', 'Fear and greed 71, greed'],
    ]);
    const unknown = { metric: 'fear_greed', reason: 'The source failed' };
    const marketSentiment = { score: null, interpretation: null, meta: { score: unknown } };
    expect(texts(lines({ advancedMetrics: { ...metrics, marketSentiment } })['positioning'])).toHaveLength(3);
  });

  test('the outlook includes its record', () => {
    const { outlook } = lines({ aiAnalysis: analysisOf(NOON), backtestResults: recordOf(NOON) });
    expect(texts(outlook)).toEqual([
      '3 analysts for 24h: bullish, 62% confidence',
      'BTC in 24h: 80% range $94,123.40 – $99,876.50',
      '24h track record: too early to tell',
    ]);
    expect(outlook?.clauses.at(-1)).toMatchObject({
      href: '/app/track-record',
      meta: { metric: 'record.skill', terms: 'Brier 0.600 vs 0.620 for base rates · 48 dates' },
    });
  });

  test('the calendar has the last high-impact release of a week and the next two events', () => {
    const figures = { actual: '210K', forecast: '215K', previous: '220K' };
    const { calendar } = lines({}, [
      event(1, 9, { allDay: true, dateEstimated: true }),
      event(2, 2),
      event(3, 1, { impact: 'medium' }),
      event(4, -2, { figures }),
      event(5, -8, { figures }),
      event(6, 30),
    ]);
    expect(texts(calendar)).toEqual([
      'Released: Event 4 210K, 215K expected',
      'Next: Event 2, 23 Nov, 12:00 UTC',
      'Then: Event 1, 30 Nov (estimated)',
    ]);
    expect(calendar?.clauses[1]?.meta).toMatchObject({ source: 'Federal Reserve', observedAt: iso(0) });
  });
});
