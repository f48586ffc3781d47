import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ForcedClose } from '../types.ts';
import { createLiquidationTally, HOUR_MS } from './liquidation-tally.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const MINUTE = 60_000;
const close = (atMs: number, usd: number, side: 'long' | 'short' = 'long', key = `${atMs} ${usd}`): ForcedClose => ({
  side,
  at: new Date(atMs),
  usd,
  key,
});
const valueOf = (
  tally: ReturnType<typeof createLiquidationTally>,
  hour: number,
  metric = 'venue.liquidations.long',
) => {
  tally.again();
  return tally.changes().find((row) => row.metric === metric && row.observedAt.getTime() === hour)?.value;
};
const row = (hour: number, value: number, detail: Record<string, unknown> = {}) => ({
  metric: 'venue.liquidations.long',
  source: 'okx',
  observed_at: new Date(hour).toISOString(),
  value,
  detail,
  fetched_at: new Date(hour).toISOString(),
  method: 'measured' as const,
});

test('in any order and however often reported, liquidations count once', () => {
  const closes = fc.uniqueArray(
    fc.tuple(fc.integer({ min: 0, max: HOUR_MS - 1 }), fc.integer({ min: 1, max: 10_000 })),
    { selector: ([at]) => at },
  );
  fc.assert(
    fc.property(closes, fc.integer({ min: 1, max: 3 }), (told, repeats) => {
      const tally = createLiquidationTally();
      const events = told.map(([at, usd]) => close(NOON + at, usd));
      for (let i = 0; i < repeats; i++) tally.add(i % 2 ? events.toReversed() : events, NOON + HOUR_MS - 1);
      const expected = told.length > 0 ? told.reduce((sum, [, usd]) => sum + usd, 0) : undefined;
      expect(valueOf(tally, NOON)).toBe(expected);
    }),
  );
});

test('a quiet covered hour is zero on both sides, an uncovered one is empty', () => {
  const tally = createLiquidationTally();
  tally.cover(NOON + 10 * MINUTE, NOON + 70 * MINUTE);
  const rows = tally.changes();
  expect(
    rows.map(({ metric, value, observedAt, detail }) => [metric, value, observedAt.getTime(), detail?.['minutes']]),
  ).toEqual([
    ['venue.liquidations.long', 0, NOON, 50],
    ['venue.liquidations.short', 0, NOON, 50],
    ['venue.liquidations.long', 0, NOON + HOUR_MS, 10],
    ['venue.liquidations.short', 0, NOON + HOUR_MS, 10],
  ]);
  expect(tally.changes()).toEqual([]);
});

test('values stored before a restart start the sum, once', () => {
  const tally = createLiquidationTally();
  tally.seed([row(NOON, 500, { minutes: 30, through: new Date(NOON + 30 * MINUTE).toISOString() })]);
  expect(tally.changes()).toEqual([]);
  tally.add([close(NOON + 40 * MINUTE, 20)], NOON + 40 * MINUTE);
  tally.seed([row(NOON, 520)]);
  expect(valueOf(tally, NOON)).toBe(520);
});

test('later venue data replaces a partial hour, unless it holds less', () => {
  const tally = createLiquidationTally();
  tally.seed([row(NOON, 500, { minutes: 20 }), row(NOON + HOUR_MS, 900, { minutes: 60 })]);
  const now = NOON + 2 * HOUR_MS + 5 * MINUTE;
  tally.add([close(NOON + 2 * HOUR_MS + 4 * MINUTE, 7)], now);
  const told = [close(NOON + 1, 600), close(NOON + HOUR_MS + 1, 100), close(NOON + 2 * HOUR_MS + 1, 30)];
  tally.replace(told, NOON, now);
  expect([0, 1, 2].map((hour) => valueOf(tally, NOON + hour * HOUR_MS))).toEqual([600, 900, 37]);
});

test('a liquidation for an hour no longer counted, or a future one, corrupts nothing', () => {
  const tally = createLiquidationTally();
  tally.add([close(NOON - 5 * HOUR_MS, 9_999)], NOON);
  expect(tally.changes()).toEqual([]);
  tally.add([close(NOON + HOUR_MS + 1, 5)], NOON + 59 * MINUTE);
  expect(valueOf(tally, NOON)).toBe(5);
});

test('an hour updated during writes to others is not dropped before it is written too', () => {
  const tally = createLiquidationTally();
  tally.add([close(NOON + MINUTE, 1)], NOON + MINUTE);
  expect(tally.changes()).toHaveLength(2);
  tally.replace([close(NOON - 5 * HOUR_MS, 700)], NOON - 5 * HOUR_MS, NOON + MINUTE);
  tally.forget(NOON - HOUR_MS);
  const rows = tally.changes().filter(({ metric }) => metric === 'venue.liquidations.long');
  expect(rows.map(({ observedAt, value }) => [observedAt.getTime() - NOON, value])).toContainEqual([-5 * HOUR_MS, 700]);
  expect(rows).toHaveLength(6);
  tally.forget(NOON - HOUR_MS);
  tally.again();
  expect(tally.changes()).toHaveLength(4);
});
