import { DAY_MS, independent, mean } from './scores.mjs';

/** Loss differences from a reference, one mean per issue date, oldest first. */
export function byDate(calls, valueOf) {
  const days = Map.groupBy(calls, ({ issuedAt }) => Math.floor(Date.parse(issuedAt) / DAY_MS));
  return [...days].map(([day, own]) => ({ day, value: mean(own.map(valueOf)) })).toSorted((a, b) => a.day - b.day);
}

/** Abramowitz and Stegun 26.7.3 and 26.7.4: a finite sum for whole degrees. */
export function studentBelow(t, degrees) {
  const angle = Math.atan2(t, Math.sqrt(degrees));
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cos : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * cos * cos;
    sum += term;
  }
  const between = isOdd ? (2 / Math.PI) * (angle + sin * sum) : sin * sum;
  return (1 + between) / 2;
}

/** By the error function: its series near 0, Lentz's continued fraction otherwise. */
export function normalBelow(z) {
  const x = Math.abs(z) / Math.SQRT2;
  let above;
  if (x < 2.5) {
    let [term, sum] = [x, x];
    for (let k = 1; Math.abs(term) > 1e-18; k++) {
      term *= -(x * x) / k;
      sum += term / (2 * k + 1);
    }
    above = 0.5 - sum / Math.sqrt(Math.PI);
  } else {
    let fraction = x;
    for (let k = 200; k > 0; k--) fraction = x + k / 2 / fraction;
    above = Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction / 2;
  }
  return z > 0 ? 1 - above : above;
}

const reach = (horizonDays) => Math.max(10, 2 * horizonDays);
const tails = (statistic, degrees) => {
  const below = studentBelow(statistic, degrees);
  return { ahead: below, behind: 1 - below };
};

/**
 * Diebold and Mariano with Bartlett weights and the correction of Harvey, Leybourne and Newbold for the same number of
 * lags.
 */
export function dieboldMariano(dates, horizonDays) {
  const n = dates.length;
  const lags = reach(horizonDays);
  if (n < 2 * (lags + 1)) return null;
  const middle = mean(dates.map(({ value }) => value));
  const off = new Map(dates.map(({ day, value }) => [day, value - middle]));
  let variance = 0;
  for (const [day, value] of off) {
    variance += value * value;
    for (let lag = 1; lag <= lags; lag++) variance += 2 * (1 - lag / (lags + 1)) * value * (off.get(day - lag) ?? 0);
  }
  variance /= n * n;
  if (!(variance > 1e-24)) return null;
  const steps = lags + 1;
  const factor = (n + 1 - 2 * steps + (steps * (steps - 1)) / n) / n;
  return tails(middle * Math.sqrt(factor / variance), n - 1);
}

/** Student's t on dates with non-overlapping windows. */
export function apartTest(dates, horizonDays) {
  const units = independent(dates, horizonDays).map(({ value }) => value);
  const n = units.length;
  if (n < 2) return null;
  const middle = mean(units);
  const variance = units.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (n - 1) / n;
  return variance > 1e-24 ? tails(middle / Math.sqrt(variance), n - 1) : null;
}

/** The published numbers are based on these draws: Mulberry32 from one seed, 4,999 resamples. */
function* draws(seed) {
  let state = seed;
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Circular calendar blocks: first the short one that completes the length, then full ones. */
export function blockBootstrap(dates, horizonDays, resamples = 4999) {
  if (dates.length === 0) return null;
  const from = dates[0].day;
  const length = dates.at(-1).day - from + 1;
  const size = reach(horizonDays);
  if (length < 2 * size) return null;
  const known = new Map(dates.map(({ day, value }) => [day - from, value]));
  const blocks = (days) =>
    Array.from({ length }, (_, start) => {
      const own = Array.from({ length: days }, (_day, k) => known.get((start + k) % length)).filter(
        (value) => value !== undefined,
      );
      return { sum: own.reduce((total, value) => total + value, 0), count: own.length };
    });
  const sizes = [blocks(length % size), blocks(size)];
  const random = draws(20_260_101);
  const means = Array.from({ length: resamples }, () => {
    let [sum, count] = [0, 0];
    for (let block = 0; block <= Math.floor(length / size); block++) {
      const taken = sizes[block === 0 ? 0 : 1][Math.floor(random.next().value * length)];
      sum += taken.sum;
      count += taken.count;
    }
    return count === 0 ? 0 : sum / count;
  }).toSorted((a, b) => a - b);
  const quantile = (share) => {
    const at = share * (means.length - 1);
    const low = Math.floor(at);
    return means[low] * (1 - (at - low)) + means[Math.min(low + 1, means.length - 1)] * (at - low);
  };
  const count = (test) => (1 + means.filter(test).length) / (resamples + 1);
  return {
    mean: mean(dates.map(({ value }) => value)),
    low: quantile(0.025),
    high: quantile(0.975),
    ahead: count((value) => value >= 0),
    behind: count((value) => value <= 0),
  };
}

/** Pesaran and Timmermann on dates with a direction and non-overlapping windows. */
export function directionTest(calls, horizonDays) {
  const leans = byDate(calls, ({ probabilities: { up, down } }) => up - down);
  const moves = new Map(byDate(calls, ({ realised }) => realised).map(({ day, value }) => [day, value]));
  const pointed = leans.filter(({ day, value }) => value !== 0 && moves.get(day) !== 0);
  const units = independent(pointed, horizonDays).map(({ day, value }) => [value > 0, moves.get(day) > 0]);
  const n = units.length;
  const share = (test) => units.filter(test).length / n;
  const [x, y] = [share(([called]) => called), share(([, went]) => went)];
  if (n === 0 || x === 0 || x === 1 || y === 0 || y === 1) return null;
  const success = share(([called, went]) => called === went);
  const chance = x * y + (1 - x) * (1 - y);
  const spread =
    (chance * (1 - chance)) / n -
    ((2 * y - 1) ** 2 * x * (1 - x) + (2 * x - 1) ** 2 * y * (1 - y)) / n -
    (4 * x * y * (1 - x) * (1 - y)) / n ** 2;
  const p = 1 - normalBelow((success - chance) / Math.sqrt(spread));
  return { n, success_rate: success, expected: chance, p };
}

/** Holm: the smallest p times the size of the family, the next times one less, never decreasing. */
export function holm(ps) {
  const sorted = ps.filter((p) => p !== null).toSorted((a, b) => a - b);
  const steps = sorted.map((p, i) => Math.min(1, p * (ps.length - i)));
  return ps.map((p) => (p === null ? null : Math.max(...steps.slice(0, sorted.lastIndexOf(p) + 1))));
}
