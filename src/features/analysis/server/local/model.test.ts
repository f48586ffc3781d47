import { describe, expect, test } from 'vitest';

import { HORIZON_DAYS, SYMBOLS } from '#features/predictions/contract.ts';
import { brier, climatologyOf, windowsOf } from '#features/predictions/server/service.ts';
import { fundingAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import { flowsOf } from '#sandbox/market/flows.ts';
import { macroOf } from '#sandbox/market/macro.ts';
import { Market } from '#sandbox/market/market.ts';
import { fearAndGreed } from '#sandbox/market/sentiment.ts';

import { newestReading, type Past } from './features.ts';
import { type AssetPast, callOf, type Fits, fitAll } from './model.ts';

const DAY_MS = 86_400_000;
const IDS = { BTC: 'bitcoin', ETH: 'ethereum', SOL: 'solana', SUI: 'sui', XRP: 'ripple' } as const;
const FIRST = Date.UTC(2024, 6, 1) / DAY_MS;
const START = Date.UTC(2025, 9, 1) / DAY_MS;
const END = START + 365;
const dayName = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Everything that had happened by the end of a day, as the stores would hold it. */
function pastsOf(market: Market): (through: number) => AssetPast[] {
  const days = Array.from({ length: END + 200 - FIRST }, (_, i) => FIRST + i);
  const bitcoin = market.get('bitcoin');
  const flows = flowsOf(market);
  const macro = macroOf(market);
  const series = (at: (day: number) => number | null) =>
    days.flatMap((day) => {
      const value = at(day);
      return value === null ? [] : [{ day: dayName(day), value }];
    });
  const noon = (day: number) => day * DAY_MS + DAY_MS / 2;
  const metrics = new Map([
    ['funding.market', series((day) => fundingAt(market, 'okx', bitcoin, noon(day)))],
    ['oi.total', series((day) => openInterestAt(market, 'okx', bitcoin, noon(day)))],
    ['flow.btc.net', series((day) => flows.netOn('bitcoin', day))],
    ['fear_greed', series((day) => fearAndGreed(market, day))],
    ['macro.us10y', series((day) => macro.valueOn('DGS10', day))],
  ]);
  const closes = SYMBOLS.map((asset) => ({
    asset,
    closes: series((day) => market.priceAt(IDS[asset], (day + 1) * DAY_MS)),
  }));
  return (through) => {
    const upTo = (rows: readonly { day: string; value: number }[]) => rows.slice(0, through - FIRST + 1);
    const last = dayName(through);
    const known = new Map([...metrics].map(([name, rows]) => [name, rows.filter(({ day }) => day <= last)]));
    return closes.map(({ asset, closes: all }): AssetPast => ({ asset, past: { closes: upTo(all), metrics: known } }));
  };
}

type Score = { own: number; climatology: number; n: number; said: number[] };
const HORIZONS = ['24h', '7d', '28d'] as const;

/** A year of calls, one a day, refitted every week on what was known. */
function walkForward(seed: number): Record<(typeof HORIZONS)[number], Score> {
  const pastAt = pastsOf(new Market(seed));
  const windows = new Map(pastAt(END + 199).map(({ asset, past }) => [asset, windowsOf(closesOf(past))]));
  const scores = Object.fromEntries(
    HORIZONS.map((horizon): [string, Score] => [horizon, { own: 0, climatology: 0, n: 0, said: [] }]),
  );
  const outcomes = HORIZONS.map(
    (horizon) => new Map([...windows].map(([asset, of]) => [asset, of(HORIZON_DAYS[horizon])])),
  );
  let fits: Fits | undefined;
  for (let day = START; day < END; day++) {
    const pasts = pastAt(day);
    if (!fits || (day - START) % 7 === 0) fits = fitAll(pasts);
    for (const { asset, past } of pasts) {
      const reading = newestReading(past);
      for (const [i, horizon] of HORIZONS.entries()) {
        const outcome = outcomes[i]?.get(asset)?.get(dayName(day));
        const score = scores[horizon] as Score;
        if (!outcome || !reading) continue;
        const climatology = climatologyOf(closesOf(past), horizon);
        const { probabilities } = callOf(fits[horizon], reading, climatology);
        score.own += brier(probabilities, outcome);
        score.climatology += brier(climatology, outcome);
        score.n += 1;
        score.said.push(probabilities.up);
      }
    }
  }
  return scores as ReturnType<typeof walkForward>;
}

const closesOf = ({ closes }: Past) => closes.map(({ day, value }) => ({ day, close: value }));

describe('a simulated year of the built-in analyst', () => {
  const scores = walkForward(7);
  test.each(HORIZONS)(
    '%s: its Brier score is not worse than climatology by more than 0.005, and it varies',
    (horizon) => {
      const { own, climatology, n, said } = scores[horizon];
      expect(n).toBeGreaterThan(1500);
      expect((own - climatology) / n).toBeLessThanOrEqual(0.005);
      const mean = said.reduce((sum, p) => sum + p, 0) / n;
      const sd = Math.sqrt(said.reduce((sum, p) => sum + (p - mean) ** 2, 0) / n);
      expect(sd).toBeGreaterThan(0.01);
      expect(new Set(said.map((p) => p.toFixed(3))).size).toBeGreaterThan(30);
    },
  );
});
