import { describe, expect, test } from 'vitest';

import { simulatedMonth, toldOf } from './fixtures/months.ts';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);
const DAY_MS = 86_400_000;
const CRASH_HOUR = 12 * 24 + 6;

describe('a simulated month', () => {
  test.each(SEEDS)('with moves six tenths as large as in earlier months raises at most 5 (%d)', (seed) => {
    expect(toldOf(simulatedMonth(seed, { calm: 0.6 })).length).toBeLessThanOrEqual(5);
  });

  test.each(SEEDS)('with a crash raises at least 5 on that day and the next morning, of 5 types (%d)', (seed) => {
    const told = toldOf(simulatedMonth(seed, { calm: 0.6, crash: { hour: CRASH_HOUR, by: -0.16 } }));
    const begins = told.find(({ severity }) => severity === 'high')?.evaluatedAt.getTime() ?? 0;
    const ofTheDay = told.filter(({ evaluatedAt }) => Math.abs(evaluatedAt.getTime() - begins) <= DAY_MS);
    expect(new Set(ofTheDay.map(({ type }) => type)).size).toBeGreaterThanOrEqual(5);
    const ofBitcoin = ofTheDay.filter(({ idempotencyKey }) =>
      idempotencyKey.startsWith('gate:PRICE_BEARISH_MOVE:bitcoin'),
    );
    const steps = ofBitcoin.map(({ detail }) => Number(detail?.['step']));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(ofBitcoin.at(-1)?.severity).toBe('high');
  });

  test('a market-wide move fires for Bitcoin, not for five coins', () => {
    const counts = SEEDS.map((seed) => {
      const told = toldOf(simulatedMonth(seed, { calm: 0.6, crash: { hour: CRASH_HOUR, by: -0.16 } }));
      return new Set(
        told.flatMap(({ type, idempotencyKey }) =>
          type === 'PRICE_BEARISH_MOVE' ? [idempotencyKey.split(':')[2]] : [],
        ),
      );
    });
    expect(counts.every((coins) => coins.has('bitcoin'))).toBe(true);
    expect(counts.reduce((sum, coins) => sum + coins.size, 0) / counts.length).toBeLessThan(2.5);
  });
});
