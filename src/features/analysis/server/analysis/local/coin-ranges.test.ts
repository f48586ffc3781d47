import { expect, test } from 'vitest';
import { normals } from '#features/analysis/server/predictions/scoring/testing/simulated.ts';
import { coinRanges } from './coin-ranges.ts';
import type { CoinCandles, DailyCandle } from './volatility-model.ts';

const FIRST = 20_000;
const DAYS = 400;
const LAST = FIRST + DAYS - 1;

/** A random walk with a daily volatility of its own, without highs and lows beyond its open and close. */
function walk(coin: string, seed: number, sigma: number): CoinCandles {
  const normal = normals(seed);
  let price = 100;
  const candles = Array.from({ length: DAYS }, (_, i): DailyCandle => {
    const open = price;
    price *= Math.exp(sigma * normal());
    return { day: FIRST + i, open, high: Math.max(open, price), low: Math.min(open, price), close: price };
  });
  return { coin, candles };
}

const coins = Array.from({ length: 12 }, (_, i) => walk(`coin-${i}`, i + 1, 0.02 + 0.005 * i));

test('each coin has ranges at its own scale, with the stated coverage on past days', () => {
  const ranges = coinRanges(coins);
  const today = ranges.on(LAST);
  expect(today).toHaveLength(3 * coins.length);
  const widthOf = (coin: string) =>
    today.find((each) => each.coin === coin && each.horizon === '24h')?.ranges[80].high ?? Number.NaN;
  expect(widthOf('coin-11') / widthOf('coin-0')).toBeGreaterThan(2.5);
  expect(widthOf('coin-0') / 1.28).toBeCloseTo(0.02, 2);
  const held = ranges.replay(LAST, 200).filter(({ horizon }) => horizon === '24h');
  const total = (of: (each: (typeof held)[number]) => number) => held.reduce((sum, each) => sum + of(each), 0);
  expect(held.map(({ n }) => n)).toEqual(coins.map(() => 200));
  expect(total(({ held80 }) => held80) / total(({ n }) => n)).toBeCloseTo(0.8, 1);
  expect(total(({ held95 }) => held95) / total(({ n }) => n)).toBeCloseTo(0.95, 1);
});

test('a range is graded at its final close, and only when that is known', () => {
  const jump = coins.map(({ coin, candles }) => ({
    coin,
    candles: candles.map((candle) => (candle.day > LAST - 7 ? { ...candle, close: candle.close * 50 } : candle)),
  }));
  const week = coinRanges(jump)
    .replay(LAST, 13)
    .filter(({ horizon }) => horizon === '7d');
  // Issued 13 to 7 days before: the end of each lies after the jump.
  expect(week.map(({ n, held80, held95 }) => [n, held80, held95])).toEqual(coins.map(() => [7, 0, 0]));
});

test('nearly constant prices and coins with too little history have no range and do not affect the others', () => {
  const pegged = walk('pegged', 99, 0.0002);
  const young = { coin: 'young', candles: walk('young', 98, 0.05).candles.slice(-20) };
  const named = new Set(
    coinRanges([...coins, pegged, young])
      .on(LAST)
      .map(({ coin }) => coin),
  );
  expect([...named]).toEqual(coins.map(({ coin }) => coin));
  expect(coinRanges([...coins, pegged]).on(LAST)).toEqual(coinRanges(coins).on(LAST));
});
