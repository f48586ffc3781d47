import { type Outcome, type Probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { mulberry32 } from '../intervals.ts';
import { normalCdf, UNIFORM } from '../scores.ts';
import type { TrackCall } from '../track.ts';
import { flatBand, outcomeOf } from '../volatility.ts';

export const ASSETS = SYMBOLS.length;
const CORRELATION = 0.7;
const DAILY_SIGMA = 0.03;
const CALL_PERSISTS_DAYS = 10;
const CLIMATOLOGY_DAYS = 365;

/** Standard normal numbers by Box and Muller (1958), two from each pair of uniform ones. */
export function normals(seed: number): () => number {
  const random = mulberry32(seed);
  let kept: number | null = null;
  return () => {
    if (kept !== null) {
      const second = kept;
      kept = null;
      return second;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    kept = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** Day 0 of `walk`, in days since 1970, and the daily volatility it has by default. */
export const MONDAY = 19_002;
export const SIGMA = 0.03;

/**
 * Daily candles of a random walk whose volatility depends on the day as `sigmaOf` says; 48 steps a day make high and
 * low.
 */
export function walk(coin: string, seed: number, days: number, sigmaOf: (day: number) => number = () => SIGMA) {
  const random = mulberry32(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let price = 100;
  const candles = Array.from({ length: days }, (_, i) => {
    const day = MONDAY + i;
    const open = price;
    let [high, low] = [open, open];
    for (let step = 0; step < 48; step++) {
      price *= Math.exp((normal() * sigmaOf(day)) / Math.sqrt(48));
      [high, low] = [Math.max(high, price), Math.min(low, price)];
    }
    return { day, open, high, low, close: price };
  });
  return { coin, candles };
}

export type Market = {
  /** One lean per date, −1 or 1, the same for all assets, turning every ten days on average. */
  leans: number[];
  /** returns[date][asset] over the horizon from that date. */
  returns: number[][];
  sigma: number;
};

/**
 * Gaussian daily returns of five assets with correlation 0.7. `edge` moves each day's return by so many daily σ towards
 * the lean of that day: without it the leans know nothing.
 */
export function simulateMarket(seed: number, dates: number, horizonDays: number, edge = 0): Market {
  const normal = normals(seed);
  const random = mulberry32(seed ^ 0x5bd1e995);
  const days = dates + horizonDays;
  const leans: number[] = [];
  const sums: Float64Array = new Float64Array((days + 1) * ASSETS);
  let lean = random() < 0.5 ? -1 : 1;
  for (let day = 0; day < days; day++) {
    if (random() < 1 / CALL_PERSISTS_DAYS) lean = -lean;
    leans.push(lean);
    const market = Math.sqrt(CORRELATION) * normal();
    for (let asset = 0; asset < ASSETS; asset++) {
      const move = DAILY_SIGMA * (edge * lean + market + Math.sqrt(1 - CORRELATION) * normal());
      sums[(day + 1) * ASSETS + asset] = (sums[day * ASSETS + asset] as number) + move;
    }
  }
  const returns = Array.from({ length: dates }, (_, date) =>
    Array.from(
      { length: ASSETS },
      (_, asset) => (sums[(date + horizonDays) * ASSETS + asset] as number) - (sums[date * ASSETS + asset] as number),
    ),
  );
  return { leans: leans.slice(0, dates), returns, sigma: DAILY_SIGMA * Math.sqrt(horizonDays) };
}

export const outcomeIn = ({ sigma }: Market, r: number): Outcome => outcomeOf(r, flatBand(sigma));

/**
 * Daily calls on all assets; what is said depends on the lean of the day alone. Climatology is the truth: a third each.
 */
export function callsOf(market: Market, speak: (lean: number) => Probabilities): TrackCall[] {
  return market.leans.flatMap((lean, date) =>
    SYMBOLS.map((asset, i) => {
      const r = market.returns[date]?.[i] as number;
      const probabilities = speak(lean);
      const issuedAt = date * 86_400_000;
      const outcome = outcomeIn(market, r);
      return { issuedAt, asset, probabilities, climatology: UNIFORM, persistence: UNIFORM, outcome, r };
    }),
  );
}

/** The chances of each sum of leans over the horizon, when the first is upward. */
function sumsOfLeans(horizonDays: number): Map<number, number> {
  let paths = new Map([[1, new Map([[1, 1]])]]);
  const change = 1 / CALL_PERSISTS_DAYS;
  for (let day = 1; day < horizonDays; day++) {
    const next = new Map([1, -1].map((lean) => [lean, new Map<number, number>()]));
    for (const [lean, sums] of paths)
      for (const [sum, chance] of sums)
        for (const [to, sumsOfTo] of next) {
          const share = chance * (to === lean ? 1 - change : change);
          sumsOfTo.set(sum + to, (sumsOfTo.get(sum + to) ?? 0) + share);
        }
    paths = next;
  }
  const total = new Map<number, number>();
  for (const sums of paths.values()) for (const [sum, chance] of sums) total.set(sum, (total.get(sum) ?? 0) + chance);
  return total;
}

/** The true chances after an upward lean: what a perfectly calibrated forecaster would say. */
export function truthOfLean(horizonDays: number, edge: number): Probabilities {
  const root = Math.sqrt(horizonDays);
  let [up, down] = [0, 0];
  for (const [sum, chance] of sumsOfLeans(horizonDays)) {
    up += chance * normalCdf((edge * sum) / root - flatBand(1));
    down += chance * normalCdf((-edge * sum) / root - flatBand(1));
  }
  return { up, flat: 1 - up - down, down };
}

/**
 * The truth carried `boldness` times as far from uniform; 1 is calibrated, 2 has exactly the Brier score of uniform.
 */
export function speaker({ up, flat, down }: Probabilities, boldness: number): (lean: number) => Probabilities {
  const bold = (p: number) => 1 / 3 + boldness * (p - 1 / 3);
  const upward = { up: bold(up), flat: bold(flat), down: bold(down) };
  return (lean) => (lean > 0 ? upward : { up: upward.down, flat: upward.flat, down: upward.up });
}

/** The same calls beside the climatology of each day: frequencies of the 365 windows that had ended by then. */
export function besideClimatology(calls: readonly TrackCall[], horizonDays: number): TrackCall[] {
  const from = horizonDays + CLIMATOLOGY_DAYS - 1;
  const counts = SYMBOLS.map(() => ({ up: 1, flat: 1, down: 1 }));
  const add = (at: number, asset: number, step: 1 | -1) => {
    const outcome = calls[at * ASSETS + asset]?.outcome as Outcome | undefined;
    const count = counts[asset];
    if (outcome && count) count[outcome] += step;
  };
  return calls.flatMap((call, i) => {
    const [date, asset] = [Math.floor(i / ASSETS), i % ASSETS];
    add(date - horizonDays, asset, 1);
    add(date - horizonDays - CLIMATOLOGY_DAYS, asset, -1);
    const n = CLIMATOLOGY_DAYS + 3;
    const { up = 0, flat = 0, down = 0 } = counts[asset] ?? {};
    return date < from ? [] : [{ ...call, climatology: { up: up / n, flat: flat / n, down: down / n } }];
  });
}
