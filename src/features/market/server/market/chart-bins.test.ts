import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Candles, type ChartInterval, chartInterval, listCandles } from '#features/market/contract/market.ts';
import { bar, forgetBars, storeBars } from '#tests/support/bars.ts';
import { type Person, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { rollUp } from './store/candles.ts';
import type { Bar } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

let s: Started;
let pro: Person;
beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '30' } });
  await s.job('market.listing');
  pro = await person(s, 'pro', 'pro');
});
afterAll(() => s.stop());

/** The bars of one interval from minutes, by hand: what each calendar says in UTC. */
function byHand(minutes: readonly Bar[], interval: ChartInterval): Candles['candles'] {
  const startOf = (at: Date): number => {
    const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
    if (interval === 'M') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
    if (interval === 'W') return midnight - ((at.getUTCDay() + 6) % 7) * DAY_MS;
    if (interval === 'D') return midnight;
    const length = Number(interval) * MINUTE_MS;
    return midnight + Math.floor((at.getTime() - midnight) / length) * length;
  };
  return [...Map.groupBy(minutes, ({ at }) => startOf(at))].map(([start, bars]) => ({
    at: iso(start),
    open: bars[0]?.open ?? 0,
    high: Math.max(...bars.map(({ high }) => high)),
    low: Math.min(...bars.map(({ low }) => low)),
    close: bars.at(-1)?.close ?? 0,
    volume: bars.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
  }));
}

// Both changes of the clock in Berlin and New York lie within it.
const FIRST = Date.UTC(2026, 9, 22, 0, 0);
const minute = fc.tuple(
  fc.integer({ min: 0, max: 28 * 1440 }),
  fc.integer({ min: 10, max: 900 }),
  fc.integer({ min: 0, max: 50 }),
);

test('property: bars of any interval equal bins of the minutes, whatever minutes are missing', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(minute, { minLength: 1, maxLength: 400, selector: ([at]) => at }),
      async (drawn) => {
        const minutes = drawn
          .toSorted(([a], [b]) => a - b)
          .map(([i, price, volume]) => bar(FIRST + i * MINUTE_MS, price, volume));
        await forgetBars(s);
        await storeBars(s, 'bitcoin', 'candles_1m', minutes);
        const from = new Date(FIRST);
        await rollUp(
          s.product.market.ctx.db,
          { from: 'candles_1m', to: 'candles_1h', unit: 'hour' },
          from,
          s.clock.now(),
        );
        await rollUp(
          s.product.market.ctx.db,
          { from: 'candles_1h', to: 'candles_1d', unit: 'day' },
          from,
          s.clock.now(),
        );
        for (const interval of chartInterval.options) {
          const days = interval === '1' ? 2 : interval === '5' ? 15 : 40;
          const since = Math.max(FIRST, s.clock.now().getTime() - days * DAY_MS);
          const aligned = since - (since % DAY_MS);
          const shown = Number.isNaN(Number(interval)) ? minutes : minutes.filter(({ at }) => at.getTime() >= aligned);
          const res = await pro.get(`/api/candles?symbol=BTC&interval=${interval}&from=${iso(aligned)}`);
          const body = listCandles.reply.parse(res.json());
          expect(body.candles, interval).toEqual(
            byHand(
              shown.filter(({ at }) => at.getTime() <= s.clock.now().getTime()),
              interval,
            ),
          );
        }
      },
    ),
    { numRuns: 12 },
  );
});
