import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Market } from './market.ts';
import { DAY, floorTo, HOUR, MARKET_START, MINUTE } from './time.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const FIVE_YEARS = 5 * 365 * DAY;
const market = new Market(7);

const anyCoin = constantFrom(...market.coins);
const anyTime = integer({ min: NOW - FIVE_YEARS, max: NOW + 365 * DAY });
const anyMinute = anyTime.map((ms) => floorTo(ms, MINUTE));

test('the coin list: names 300 coins with unique ids and symbols, including the tracked five', () => {
  expect(market.coins).toHaveLength(300);
  expect(new Set(market.coins.map(({ id }) => id)).size).toBe(300);
  expect(new Set(market.coins.map(({ symbol }) => symbol)).size).toBe(300);
  for (const id of ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple']) expect(market.find(id)).toBeDefined();
});

describe('a price', () => {
  test('depends only on seed, coin and time, not on when or in which order it is requested', () => {
    assert(
      property(array(tuple(anyCoin, anyTime), { minLength: 1, maxLength: 12 }), (questions) => {
        const fresh = new Market(7);
        const backwards = questions.toReversed().map(([coin, at]) => fresh.priceAt(coin.id, at));
        expect(backwards.toReversed()).toEqual(questions.map(([coin, at]) => market.priceAt(coin.id, at)));
      }),
      { numRuns: 15 },
    );
  });

  test('moves slightly from second to second', () => {
    assert(
      property(anyTime, (at) => {
        const [before, after] = [market.priceAt('bitcoin', at), market.priceAt('bitcoin', at + 1000)];
        expect(after).not.toBe(before);
        expect(Math.abs(after / before - 1)).toBeLessThan(0.01);
      }),
      { numRuns: 40 },
    );
  });

  test('of a stablecoin tracks one, of a wrapped coin its underlying', () => {
    assert(
      property(anyTime, (at) => {
        expect(Math.abs(market.priceAt('tether', at) - 1)).toBeLessThan(0.02);
        expect(Math.abs(market.priceAt('wrapped-bitcoin', at) / market.priceAt('bitcoin', at) - 1)).toBeLessThan(0.001);
      }),
      { numRuns: 40 },
    );
  });
});

describe('candles', () => {
  test.each([
    ['a day', DAY, HOUR],
    ['an hour', HOUR, MINUTE],
    ['four hours', 4 * HOUR, MINUTE],
  ])('of %s contain exactly what their parts contain', (_name, wide, narrow) => {
    assert(
      property(anyCoin, anyTime, (coin, moment) => {
        const at = floorTo(moment, wide);
        const whole = market.candle(coin, at, at + wide);
        const parts = market.candles(coin, { stepMs: narrow, from: at, to: at + wide, now: at + wide });
        expect(parts).toHaveLength(wide / narrow);
        expect(parts[0]?.open).toBe(whole.open);
        expect(parts.at(-1)?.close).toBe(whole.close);
        expect(Math.max(...parts.map(({ high }) => high))).toBe(whole.high);
        expect(Math.min(...parts.map(({ low }) => low))).toBe(whole.low);
        const volume = parts.reduce((sum, part) => sum + part.volumeUsd, 0);
        expect(Math.abs(volume / whole.volumeUsd - 1)).toBeLessThan(1e-9);
        for (const [i, part] of parts.entries()) {
          expect(part.high).toBeGreaterThanOrEqual(Math.max(part.open, part.close));
          expect(part.low).toBeLessThanOrEqual(Math.min(part.open, part.close));
          if (i > 0) expect(part.open).toBe(parts[i - 1]?.close);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('of one minute enclose every second of it', () => {
    assert(
      property(anyCoin, anyMinute, (coin, at) => {
        const { high, low } = market.candle(coin, at, at + MINUTE);
        for (let second = 0; second <= 60; second++) {
          const price = market.priceAt(coin, at + second * 1000);
          expect(price).toBeLessThanOrEqual(high * (1 + 1e-12));
          expect(price).toBeGreaterThanOrEqual(low * (1 - 1e-12));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('still in progress end at the current price and never look ahead', () => {
    assert(
      property(anyCoin, anyTime, integer({ min: 0, max: DAY }), (coin, moment, more) => {
        const from = floorTo(moment, DAY);
        const to = Math.max(moment, from);
        const early = market.candle(coin, from, to);
        const late = market.candle(coin, from, to + more);
        expect(early.close).toBe(market.priceAt(coin, to));
        expect(late.high).toBeGreaterThanOrEqual(early.high);
        expect(late.low).toBeLessThanOrEqual(early.low);
        expect(late.volumeUsd).toBeGreaterThanOrEqual(early.volumeUsd);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the last 24 hours', () => {
  test('match the minutes they are made of', () => {
    assert(
      property(anyCoin, anyTime, (coin, now) => {
        const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
        const from = floorTo(now, MINUTE) - DAY;
        const minutes = market.candles(coin, { stepMs: MINUTE, from, to: now + 1, now });
        expect(price).toBe(market.priceAt(coin, now));
        expect(open).toBe(minutes[0]?.open);
        expect(high).toBe(Math.max(...minutes.map((minute) => minute.high)));
        expect(low).toBe(Math.min(...minutes.map((minute) => minute.low)));
        const volume = minutes.reduce((sum, minute) => sum + minute.volumeUsd, 0);
        expect(Math.abs(volume / volumeUsd - 1)).toBeLessThan(1e-9);
      }),
      { numRuns: 8 },
    );
  });

  test('set records that no daily candle exceeds, even looking further back', () => {
    for (const id of ['bitcoin', 'sui', 'wrapped-steth']) {
      const forward = market.extremes(id, NOW);
      const past = market.extremes(id, NOW - 400 * DAY);
      const highOf = (to: number) =>
        Math.max(...market.candles(id, { stepMs: DAY, from: MARKET_START, to, now: to }).map(({ high }) => high));
      expect(forward.high).toBe(highOf(NOW));
      expect(past.high).toBe(highOf(NOW - 400 * DAY));
      expect(market.extremes(id, NOW)).toEqual(forward);
    }
  });
});

describe('returns', () => {});

const days = Array.from({ length: 6 }, (_, i) => Date.UTC(2026, 10, 21) - 37 * i * DAY);
const coins = market.coins.filter(({ trackedCoinId, index }) => trackedCoinId === null && index % 15 === 0);

/** Minute closes of a day relative to its range: 0 is the low, 1 the high. */
function placesOf(id: string, at: number): number[] {
  const { high, low } = market.candle(id, at, at + DAY);
  const closes = market.candles(id, { stepMs: MINUTE, from: at, to: at + DAY, now: at + DAY });
  return closes.map(({ close }) => (close - low) / (high - low));
}

const isNear = (place: number) => Math.min(place, 1 - place) < 0.01;

test('a day touches its extremes without staying at them', () => {
  let near = 0;
  for (const { id } of coins) {
    for (const at of days) {
      const places = placesOf(id, at);
      const share = places.filter(isNear).length / places.length;
      expect(share, `${id} ${new Date(at).toISOString()}`).toBeLessThan(0.1);
      near += share;
    }
  }
  expect(near / (coins.length * days.length)).toBeLessThan(0.01);
});
