import { HORIZON_DAYS, type Horizon, type Probabilities } from '#features/analysis/contract/predictions.ts';
import { eachLevel, missRate, type Ranges } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { dailyVolatility, flatBand } from '#features/analysis/server/predictions/scoring/volatility.ts';

/** One completed UTC day; `day` counts days since 1970-01-01. Prices in one currency. */
export type DailyCandle = { day: number; open: number; high: number; low: number; close: number };
export type CoinCandles = { coin: string; candles: readonly DailyCandle[] };

export const SETTINGS = {
  /** Days over which realised variance is averaged (Corsi 2009, plus a quarter). */
  memories: [1, 5, 22, 66],
  fitDays: 1095,
  refitDays: 28,
  residualDays: 730,
  fewestRows: 180,
  fewestResiduals: 100,
  /** Ridge penalty on the weights, multiplied by the days of the horizon because windows overlap. */
  ridge: 10,
  /** Weight of the prior P(flat) = 1/3, in independent windows. */
  priorWindows: 5,
} as const;

export type Forecast = {
  coin: string;
  /** Standard deviation of the log return over the horizon, and the half width of "flat" in the same unit. */
  scale: number;
  band: number;
  probabilities: Probabilities;
  /** Share of the trailing year's scales that were below this one. */
  percentile: number;
  /** Factor by which the weekday changes the scale; 1 beyond 24h. */
  weekday: number;
  /** Log returns from the price at issue. */
  ranges: Ranges;
};

export type Forecaster = {
  /**
   * Forecasts for every coin with a candle on `day`, from data up to its end. `start` is when the window begins, in days
   * since 1970-01-01. Empty while there is too little history for a fit.
   */
  at: (day: number, horizon: Horizon, start?: number) => Forecast[];
};

type Series = {
  coin: string;
  first: number;
  close: Float64Array;
  variance: Float64Array;
  /** `LAGS` predictors for each day; the first of them is NaN where one is unknown. */
  rows: Float64Array;
};
/** `scales` of the daily windows by coin and day, from the coefficients of one fit; NaN before those that are used. */
type Fit = { weights: Float64Array; scales: Float64Array[] };

const WEEKDAYS = 3;
/** The constant, each memory, and the variance that sets "flat". */
const LAGS = SETTINGS.memories.length + 2;
const TRAILING_YEAR = 365;
const LEAST_VARIANCE = 1e-12;
const QUIETEST = 0.01;

/** Garman and Klass (1980) from open, high, low and close; the squared return where closes alone are known. */
function varianceOf({ open, high, low, close }: DailyCandle, before: number | undefined): number {
  const hasRange = high > Math.max(open, close) || low < Math.min(open, close);
  if (!hasRange) return Math.log(close / (before ?? Number.NaN)) ** 2;
  const range = Math.log(high / low);
  const body = Math.log(close / open);
  return 0.5 * range * range - (2 * Math.LN2 - 1) * body * body;
}

/** Mean of the `days` values up to each; NaN where fewer than three in five are known. */
function trailingMeans(values: Float64Array, days: number): Float64Array {
  let [sum, known] = [0, 0];
  return values.map((value, i) => {
    const gone = values[i - days] ?? Number.NaN;
    if (!Number.isNaN(value)) [sum, known] = [sum + value, known + 1];
    if (!Number.isNaN(gone)) [sum, known] = [sum - gone, known - 1];
    return known < 0.6 * days ? Number.NaN : Math.max(0, sum) / known;
  });
}

function seriesOf({ coin, candles }: CoinCandles): Series {
  const first = candles[0]?.day ?? 0;
  const length = (candles.at(-1)?.day ?? first - 1) - first + 1;
  const close = new Float64Array(length).fill(Number.NaN);
  const raw = new Float64Array(length).fill(Number.NaN);
  for (const candle of candles) {
    close[candle.day - first] = candle.close;
    raw[candle.day - first] = varianceOf(candle, close[candle.day - first - 1]);
  }
  // The logarithm of a day without trades would dominate the fit.
  const usual = trailingMeans(raw, SETTINGS.memories.at(-1) as number);
  const variance = raw.map((value, i) => Math.max(value, QUIETEST * (usual[i] as number), LEAST_VARIANCE));
  const means = SETTINGS.memories.map((days) => trailingMeans(variance, days));
  const daily = dailyVolatility(close);
  const rows = new Float64Array(length * LAGS);
  for (let i = 0; i < length; i++) {
    const at = i * LAGS;
    for (const [m, of] of means.entries()) rows[at + 1 + m] = Math.log(of[i] as number);
    rows[at + LAGS - 1] = 2 * Math.log(daily[i] as number);
    rows[at] = rows.subarray(at + 1, at + LAGS).every(Number.isFinite) ? 1 : Number.NaN;
  }
  return { coin, first, close, variance, rows };
}

/** Share of a one-day window that falls on Saturday, Sunday and Monday; the other days do not differ. */
function weekdaysFrom(start: number): [number, number, number] {
  const shares: [number, number, number] = [0, 0, 0];
  const elapsed = start - Math.floor(start);
  for (const [day, share] of [
    [Math.floor(start), 1 - elapsed],
    [Math.floor(start) + 1, elapsed],
  ] as const) {
    // 1970-01-03 was a Saturday.
    const i = (((day - 2) % 7) + 7) % 7;
    if (i < WEEKDAYS) shares[i] = (shares[i] as number) + share;
  }
  return shares;
}

/** Log variance of the window by the fit: the day's predictors at `at`, and for one day the weekday. */
function logVariance(weights: Float64Array, rows: Float64Array, at: number, days: number, start: number): number {
  let sum = days === 1 ? weekdayEffect(weights, start) : 0;
  for (let k = 0; k < LAGS; k++) sum += (weights[k] as number) * (rows[at + k] as number);
  return sum;
}

function weekdayEffect(weights: Float64Array, start: number): number {
  return weekdaysFrom(start).reduce((sum, share, k) => sum + (weights[LAGS + k] as number) * share, 0);
}

/** Solves a symmetric positive definite system in place by Cholesky's decomposition. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const at = (r: number, c: number) => (matrix[r] as Float64Array)[c] as number;
  for (let c = 0; c < n; c++) {
    for (let r = c; r < n; r++) {
      let value = at(r, c);
      for (let k = 0; k < c; k++) value -= at(r, k) * at(c, k);
      (matrix[r] as Float64Array)[c] = r === c ? Math.sqrt(Math.max(value, LEAST_VARIANCE)) : value / at(c, c);
    }
  }
  const solution = right.slice();
  for (let r = 0; r < n; r++) {
    for (let k = 0; k < r; k++) solution[r] = (solution[r] as number) - at(r, k) * (solution[k] as number);
    solution[r] = (solution[r] as number) / at(r, r);
  }
  for (let r = n - 1; r >= 0; r--) {
    for (let k = r + 1; k < n; k++) solution[r] = (solution[r] as number) - at(k, r) * (solution[k] as number);
    solution[r] = (solution[r] as number) / at(r, r);
  }
  return solution;
}

/**
 * Forecasts how far prices move, not which way: log realised variance of the window regressed on its own past (HAR), on
 * the variance that sets "flat", and for one day on the weekday; one ridge regression for all coins, refitted every 28
 * days on the windows of three years that had ended. P(flat) is how often a standardised past return lay within the band
 * (filtered historical simulation, Barone-Adesi 1999), shrunk towards 1/3 where there are few independent windows; up and down split
 * the rest evenly, because direction was not predictable. Nothing after `day` is read, so later candles may be present.
 */
export function createForecaster(coins: readonly CoinCandles[]): Forecaster {
  const all = coins.filter(({ candles }) => candles.length > 0).map(seriesOf);
  const fits = new Map<number, { day: number; fit: Fit | null }>();
  const targets = new Map<number, Float64Array[]>();

  /** Log mean variance of the window that follows each day. */
  function targetsOf(days: number): Float64Array[] {
    const known = targets.get(days);
    if (known) return known;
    const made = all.map(({ variance }) => {
      const means = trailingMeans(variance, days);
      return variance.map((_, i) => Math.log(means[i + days] ?? Number.NaN));
    });
    targets.set(days, made);
    return made;
  }

  function fitOf(day: number, days: number): Fit | null {
    const known = fits.get(days);
    if (known?.day === day) return known.fit;
    const width = LAGS + (days === 1 ? WEEKDAYS : 0);
    const matrix = Array.from({ length: width }, () => new Float64Array(width));
    const right = new Float64Array(width);
    const x = new Float64Array(width);
    let count = 0;
    const last = day - days;
    for (const [c, { first, rows }] of all.entries()) {
      const target = targetsOf(days)[c] as Float64Array;
      for (let i = Math.max(0, last - SETTINGS.fitDays + 1 - first); i <= last - first && i < target.length; i++) {
        const y = target[i] as number;
        if (Number.isNaN(rows[i * LAGS]) || !Number.isFinite(y)) continue;
        x.set(rows.subarray(i * LAGS, (i + 1) * LAGS));
        if (days === 1) x.set(weekdaysFrom(first + i + 1), LAGS);
        count++;
        for (let a = 0; a < width; a++) {
          const factor = x[a] as number;
          right[a] = (right[a] as number) + factor * y;
          const line = matrix[a] as Float64Array;
          for (let b = 0; b <= a; b++) line[b] = (line[b] as number) + factor * (x[b] as number);
        }
      }
    }
    for (let a = 1; a < width; a++)
      (matrix[a] as Float64Array)[a] = ((matrix[a] as Float64Array)[a] as number) + SETTINGS.ridge * days;
    const weights = count < SETTINGS.fewestRows ? null : solve(matrix, right);
    const oldest = day - Math.max(SETTINGS.residualDays + days, TRAILING_YEAR);
    const fit = weights && {
      weights,
      scales: all.map(({ first, close, rows }) => {
        const scales = new Float64Array(close.length).fill(Number.NaN);
        for (let i = Math.max(0, oldest - first); i < close.length && i <= day + SETTINGS.refitDays - first; i++)
          scales[i] = scaleOf(weights, rows, i * LAGS, days, first + i + 1);
        return scales;
      }),
    };
    fits.set(days, { day, fit });
    return fit;
  }

  const scaleOf = (weights: Float64Array, rows: Float64Array, at: number, days: number, start: number) =>
    Math.sqrt(days * Math.exp(logVariance(weights, rows, at, days, start)));

  /** Standardised absolute returns of windows that ended by `day`, ascending. */
  function residualsOf(scales: readonly Float64Array[], day: number, days: number): Float64Array {
    const found: number[] = [];
    const last = day - days;
    for (const [c, { first, close }] of all.entries()) {
      for (let i = Math.max(0, last - SETTINGS.residualDays + 1 - first); i <= last - first; i++) {
        const residual =
          Math.abs(Math.log((close[i + days] ?? Number.NaN) / (close[i] as number))) / (scales[c]?.[i] ?? 0);
        if (Number.isFinite(residual)) found.push(residual);
      }
    }
    return Float64Array.from(found).toSorted();
  }

  return {
    at(day, horizon, start = day + 1) {
      const days = HORIZON_DAYS[horizon];
      const fit = fitOf(Math.floor(day / SETTINGS.refitDays) * SETTINGS.refitDays, days);
      if (!fit) return [];
      const residuals = residualsOf(fit.scales, day, days);
      if (residuals.length < SETTINGS.fewestResiduals) return [];
      const windows = Math.min(SETTINGS.residualDays, residuals.length) / days;
      return all.flatMap(({ coin, first, rows }, c): Forecast[] => {
        const row = (day - first) * LAGS;
        if (!(rows[row] === 1)) return [];
        const scale = scaleOf(fit.weights, rows, row, days, start);
        const band = flatBand(Math.exp((rows[row + LAGS - 1] as number) / 2) * Math.sqrt(days));
        const inside = (countUpTo(residuals, band / scale) + 1) / (residuals.length + 3);
        const flat = (windows * inside + SETTINGS.priorWindows / 3) / (windows + SETTINGS.priorWindows);
        const side = (1 - flat) / 2;
        const past = (fit.scales[c] as Float64Array).slice(Math.max(0, day - first - TRAILING_YEAR), day - first);
        const known = past.filter((value) => !Number.isNaN(value));
        return [
          {
            coin,
            scale,
            band,
            probabilities: { up: side, flat, down: side },
            percentile: known.length === 0 ? 0.5 : known.filter((value) => value < scale).length / known.length,
            weekday: days === 1 ? Math.exp(weekdayEffect(fit.weights, start) / 2) : 1,
            ranges: rangesOf(residuals, scale),
          },
        ];
      });
    },
  };
}

/** Split conformal (Vovk, Gammerman, Shafer 2005): the half width is a quantile of past |log return| ÷ scale, ascending. */
function rangesOf(residuals: Float64Array, scale: number): Ranges {
  return eachLevel((level) => {
    const rank = Math.ceil((residuals.length + 1) * (1 - missRate(level)));
    const reach = (residuals[Math.min(residuals.length, rank) - 1] as number) * scale;
    return { low: -reach, high: reach };
  });
}

/** How many of the ascending values are at most `limit`. */
function countUpTo(ascending: Float64Array, limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
