import { expect, test } from 'vitest';

import { Market } from './market.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

const market = new Market(7);
const days = Array.from({ length: 6 }, (_, i) => Date.UTC(2026, 10, 21) - 37 * i * DAY);
const coins = market.coins.filter(({ follows, index }) => follows === null && index % 15 === 0);

/** Minute closes of a day, as a part of its range: 0 is the low, 1 the high. */
function placesOf(id: string, at: number): number[] {
  const { high, low } = market.candle(id, at, at + DAY);
  const closes = market.candles(id, { stepMs: MINUTE, from: at, to: at + DAY, now: at + DAY });
  return closes.map(({ close }) => (close - low) / (high - low));
}

const isNear = (place: number) => Math.min(place, 1 - place) < 0.01;

test('a day touches its extremes and does not sit on them', () => {
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

test('no two minutes of a day have the same close, and one alone its high', () => {
  for (const { id } of coins) {
    for (const at of days) {
      const minutes = market.candles(id, { stepMs: MINUTE, from: at, to: at + DAY, now: at + DAY });
      const highest = Math.max(...minutes.map(({ high }) => high));
      expect(new Set(minutes.map(({ close }) => close)).size, id).toBe(minutes.length);
      expect(minutes.filter(({ high }) => high === highest)).toHaveLength(1);
    }
  }
});

test('the afternoon of 21 November moves like any other', () => {
  const at = Date.UTC(2026, 10, 21);
  const places = placesOf('bitcoin', at).slice((11 * HOUR) / MINUTE, (14.5 * HOUR) / MINUTE);
  expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(0.15);
});
