import { describe, expect, test } from 'vitest';

import { isDerivative } from '#features/market/server/metrics/snapshot.ts';

import { compareSeason } from '../derive.ts';

const day = (i: number) => new Date(Date.UTC(2026, 8, 1 + i)).toISOString().slice(0, 10);
/** Daily closes that run from `from` to `to` in equal steps. */
const closes = (from: number, to: number, days = 90, firstDay = 0) =>
  Array.from({ length: days + 1 }, (_, i) => ({
    day: day(firstDay + i),
    close: from + ((to - from) * i) / days,
    volume: null,
  }));
const many = (count: number, of: () => ReturnType<typeof closes>) => Array.from({ length: count }, of);

describe('altcoin season', () => {
  const bitcoin = closes(100, 120);

  test('BTC +20%: 30 coins at +30% and 20 at +10% are 30 of 50', () => {
    const others = [...many(30, () => closes(10, 13)), ...many(20, () => closes(1, 1.1))];
    expect(compareSeason(bitcoin, others)).toEqual({ better: 30, compared: 50, historyDays: 90 });
  });

  test('BTC −50%: a coin that fell by 40% beat it, one that fell equally did not', () => {
    const others = [...many(10, () => closes(10, 6)), ...many(10, () => closes(10, 5))];
    expect(compareSeason(closes(100, 50), others)).toMatchObject({ better: 10, compared: 20 });
  });

  test('only the first and last day count, not the path between', () => {
    const detour = closes(10, 13).map((row, i) => (i === 45 ? { ...row, close: 0.01 } : row));
    expect(
      compareSeason(
        bitcoin,
        many(20, () => detour),
      ),
    ).toMatchObject({ better: 20 });
  });

  test('a coin that starts later, or ends earlier, is excluded', () => {
    const others = [
      ...many(25, () => closes(10, 13)),
      ...many(5, () => closes(10, 99, 60, 30)),
      ...many(5, () => closes(10, 99, 80)),
      [],
    ];
    expect(compareSeason(bitcoin, others)).toMatchObject({ better: 25, compared: 25 });
  });

  test('a shorter history is used and labeled; a week of it, or 19 coins, give nothing', () => {
    const short = (days: number) => many(20, () => closes(10, 13, days));
    expect(compareSeason(closes(100, 120, 30), short(30))).toMatchObject({ compared: 20, historyDays: 30 });
    expect(compareSeason(closes(100, 120, 6), short(6))).toBeNull();
    expect(
      compareSeason(
        bitcoin,
        many(19, () => closes(10, 13)),
      ),
    ).toBeNull();
    expect(
      compareSeason(
        [],
        many(30, () => closes(10, 13)),
      ),
    ).toBeNull();
  });

  test.each([
    [{ symbol: 'WBTC', name: 'Wrapped Bitcoin' }, true],
    [{ symbol: 'STETH', name: 'Lido Staked Ether' }, true],
    [{ symbol: 'USDT', name: 'Tether' }, true],
    [{ symbol: 'DAI', name: 'Dai' }, true],
    [{ symbol: 'SOL', name: 'Solana' }, false],
    [{ symbol: 'HYPE', name: 'Hyperliquid' }, false],
  ])('%o is a wrapper: %s', (coin, copy) => {
    expect(isDerivative(coin)).toBe(copy);
  });
});
