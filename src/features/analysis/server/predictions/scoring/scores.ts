import {
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/analysis/contract/predictions.ts';

import { type DailyClose, dailyVolatility, denseCloses, flatBand, outcomeOf } from './volatility.ts';

const SMALLEST_PROBABILITY = 1e-3;

/**
 * Brier score in Brier's own form of 1950: the sum over the three classes of (p − o)², so 0 to 2 and not halved.
 * Uniform probabilities score 2/3. Lower is better.
 */
export function brier({ up, flat, down }: Probabilities, outcome: Outcome): number {
  const a = up - (outcome === 'up' ? 1 : 0);
  const b = flat - (outcome === 'flat' ? 1 : 0);
  const c = down - (outcome === 'down' ? 1 : 0);
  return a * a + b * b + c * c;
}

/**
 * Ranked probability score (Epstein 1969) over the order down < flat < up: the sum of squared differences of the
 * cumulated probabilities, not divided by the number of classes less one, so 0 to 2. Lower is better.
 */
export function rankedProbability({ flat, down }: Probabilities, outcome: Outcome): number {
  const first = down - (outcome === 'down' ? 1 : 0);
  const second = down + flat - (outcome === 'up' ? 0 : 1);
  return first * first + second * second;
}

/** Logarithmic score (Good 1952) as a loss, −ln p of what happened, with p clipped at 0.001. Lower is better. */
export const logScore = (probabilities: Probabilities, outcome: Outcome): number =>
  -Math.log(Math.max(probabilities[outcome], SMALLEST_PROBABILITY));

/** The likeliest class. Up or down must be likelier than both others; any tie for the first place is a call of flat. */
export function calledOutcome({ up, flat, down }: Probabilities): Outcome {
  if (up > flat && up > down) return 'up';
  return down > flat && down > up ? 'down' : 'flat';
}

export const isHit = (probabilities: Probabilities, outcome: Outcome): boolean =>
  calledOutcome(probabilities) === outcome;

/**
 * Brier skill score (Murphy 1973) against the best of the references, so that no weak baseline can make a track look
 * good: 1 is perfect, 0 as good as the best reference, below 0 worse. Null when a reference is perfect.
 */
export function brierSkill(score: number, ...references: [number, ...number[]]): number | null {
  const best = Math.min(...references);
  return best > 0 ? 1 - score / best : null;
}

/** `n` past windows stand behind the probabilities; with fewer than 30 they are uniform. */
export type Frequencies = { probabilities: Probabilities; n: number };
export type Persistence = Frequencies & { last: Outcome | null };
export type Baselines = { climatology: Frequencies; persistence: Persistence };

export const UNIFORM: Probabilities = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };
export const ALWAYS_UP: Probabilities = { up: 1, flat: 0, down: 0 };

const TRAILING_DAYS = 365;
const FEWEST_WINDOWS = 30;

/** Laplace's rule of succession for three classes: (k + 1) / (n + 3). */
function frequencies(outcomes: readonly Outcome[]): Frequencies {
  const n = outcomes.length;
  if (n < FEWEST_WINDOWS) return { probabilities: UNIFORM, n };
  const counts = { up: 0, flat: 0, down: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  const share = (count: number) => (count + 1) / (n + 3);
  return { probabilities: { up: share(counts.up), flat: share(counts.flat), down: share(counts.down) }, n };
}

/** The outcome of the window that starts at each day, by the band known at that day; null while it has not ended. */
function windowOutcomes(closes: Float64Array, days: number): (Outcome | null)[] {
  const volatility = dailyVolatility(closes);
  return Array.from(closes, (close, start) => {
    const r = Math.log((closes[start + days] ?? Number.NaN) / close);
    const band = flatBand((volatility[start] as number) * Math.sqrt(days));
    return Number.isNaN(r) || Number.isNaN(band) ? null : outcomeOf(r, band);
  });
}

/**
 * What the past alone says at the last close. Only windows count that had ended by then, and no longer than 365 days
 * ago. Climatology (Murphy 1992) is how often each class came. Persistence looks at the class of the window that ended
 * last, and gives how often each class came next whenever the window before had that same class.
 */
export function baselines(closes: readonly DailyClose[], horizon: Horizon): Baselines {
  const days = HORIZON_DAYS[horizon];
  const dense = denseCloses(closes);
  const outcomes = windowOutcomes(dense, days);
  const latest = dense.length - 1 - days;
  const last = outcomes[latest] ?? null;
  const all: Outcome[] = [];
  const afterLast: Outcome[] = [];
  for (let start = Math.max(0, latest - TRAILING_DAYS + 1); start <= latest; start++) {
    const outcome = outcomes[start];
    if (!outcome) continue;
    all.push(outcome);
    if (last && outcomes[start - days] === last) afterLast.push(outcome);
  }
  return { climatology: frequencies(all), persistence: { ...frequencies(afterLast), last } };
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Lanczos's approximation (1964) with g = 7 and nine terms, for x of at least 0.5. */
export function lnGamma(x: number): number {
  const t = x + 6.5;
  const series = LANCZOS.reduce((sum, term, i) => sum + term / (x + i), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

const awayFromZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method (1976). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

/** Regularised incomplete beta function I_x(a, b) (DLMF 8.17). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** P(T ≤ t) of Student's t (Abramowitz and Stegun 26.7.1): from the middle near 0, from the tail beyond. */
export function studentCdf(t: number, degrees: number): number {
  const square = t * t;
  if (square < 1) return 0.5 + (Math.sign(t) / 2) * incompleteBeta(square / (degrees + square), 0.5, degrees / 2);
  const tail = incompleteBeta(degrees / (degrees + square), degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** P(Z ≤ z) of the normal distribution by its Taylor series (Marsaglia 2004). */
export function normalCdf(z: number): number {
  if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
  let [term, sum] = [z, z];
  for (let k = 3; sum + term !== sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI);
}
