import { describe, expect, test } from 'vitest';

import { alertOf } from '#features/alerts/web/alerts/fixtures.ts';
import { coin, meta, NOON, source } from '#features/market/web/market/fixtures.ts';
import type { Change } from '#features/site/contract/dashboard.ts';
import { alertsChange, marketChanges, sourceChange, topChanges } from './service/changes.ts';

const HOUR_MS = 3_600_000;
const now = new Date(NOON);
const since = new Date(NOON - 24 * HOUR_MS);
const at = (id: string, price: number, more = {}) => coin({ id, name: id, price, market_cap: price * 1000, ...more });
const textsOf = (changes: readonly Change[]) => changes.map(({ text }) => text);

/** Current and earlier price by coin. */
function moves(prices: Record<string, [now: number, then: number]>, more: Record<string, object> = {}) {
  const rows = Object.entries(prices).map(([id, [price]]) => at(id, price, more[id]));
  const then = new Map(Object.entries(prices).map(([id, [, price]]) => [id, at(id, price)]));
  return marketChanges(rows, then, { mode: 'live', now, since });
}

describe('moves since a moment', () => {
  test('the coins furthest above and below the market, furthest first, then the market', () => {
    const changes = moves({ big: [102, 100], up: [13, 10], down: [8, 10], flat: [10, 10] });
    expect(textsOf(changes)).toEqual([
      'up +30.0% (market +2.3%)',
      'down −20.0% (market +2.3%)',
      'Market +2.3% to $133.00K',
    ]);
    expect(changes[0]).toMatchObject({
      tone: 'up',
      href: '/app?coin=up#crypto-prices',
      meta: {
        source: 'Meridian',
        method: 'computed',
        terms: '$13.00 vs. $10.00 at 20 Nov 2026, 12:00:00 UTC; market: 4 coins',
      },
    });
  });

  test('coins without an earlier price count towards the market cap; if they are more than half of it, there is no change', () => {
    const rows = [at('known', 100), at('new', 40)];
    const then = new Map([['known', at('known', 100)]]);
    const changes = (all: typeof rows) => marketChanges(all, then, { mode: 'live', now, since });
    expect(textsOf(changes(rows))).toEqual(['Market 0.0% to $140.00K']);
    expect(changes([...rows, at('newer', 90)])).toEqual([]);
  });

  test.each([
    ['a coin that fell less does not lead', { big: [90, 100], less: [9.5, 10] }, ['big −10.0% (market −9.5%)']],
    ['less than 1% is no move', { big: [100, 100], small: [10.05, 10] }, []],
  ] as const)('%s', (_name, prices, coins) => {
    const changes = moves(prices as unknown as Record<string, [number, number]>);
    expect(textsOf(changes.filter(({ kind }) => kind === 'coin'))).toEqual(coins);
  });

  test('a stale price, a low rank and a coin without an earlier price are omitted', () => {
    const changes = moves(
      { big: [100, 100], stale: [20, 10], low: [20, 10], up: [11, 10] },
      { stale: { meta: meta({ staleAfter: new Date(NOON - 1).toISOString() }) }, low: { rank: 101 } },
    );
    expect(textsOf(changes)[0]).toMatch(/^up /);
    expect(moves({ fresh: [1, 0] })).toEqual([]);
  });
});

test('sources that stopped responding since the moment', () => {
  const down = (name: string, lastSuccessMs: number) => ({
    ...source(name.toLowerCase(), name, 'down'),
    lastSuccessAt: new Date(lastSuccessMs).toISOString(),
  });
  const old = down('Old', since.getTime() - 2 * HOUR_MS);
  expect(textsOf(sourceChange([source('ok', 'Fine'), old, down('OKX', NOON - HOUR_MS)], since, now))).toEqual([
    'OKX stopped responding',
  ]);
  const [both] = sourceChange([down('OKX', NOON - HOUR_MS), down('FRED', NOON - HOUR_MS)], since, now);
  expect(both).toMatchObject({ text: '2 sources stopped responding', meta: { venues: ['OKX', 'FRED'] } });
});

test('alerts raised since the moment, with the origin of the most severe one', () => {
  const raised = (id: number, hours: number, severity: 'high' | 'low') =>
    alertOf(id, { severity, message: `Alert ${id}`, timestamp: new Date(NOON - hours * HOUR_MS).toISOString() });
  const [change] = alertsChange([raised(3, 1, 'low'), raised(2, 2, 'high'), raised(1, 30, 'high')], since);
  expect(change).toMatchObject({
    text: '2 new alerts, 1 of high severity',
    tone: 'warning',
    meta: { terms: 'Alert 2' },
  });
  expect(alertsChange([raised(1, 30, 'high')], since)).toEqual([]);
});

test('updates take two of three places, and moves lead; without moves, updates take all', () => {
  const named = (...texts: string[]) => texts.map((text) => ({ text }) as Change);
  const [news, market] = [named('a', 'b', 'c'), named('1', '2', '3')];
  expect(textsOf(topChanges(news, market))).toEqual(['1', 'a', 'b']);
  expect(textsOf(topChanges(news.slice(0, 1), market))).toEqual(['1', '2', 'a']);
  expect(textsOf(topChanges([], market))).toEqual(['1', '2', '3']);
  expect(textsOf(topChanges(news, []))).toEqual(['a', 'b', 'c']);
});
