import type { Outcome } from '#features/analysis/contract/predictions.ts';

/** `day` counts days since 1970-01-01 UTC; a close is known once its day is over. */
export type DailyClose = { day: number; close: number };

const TRAILING_DAYS = 30;
const FEWEST_RETURNS = 20;
/** Φ⁻¹(2/3) = 0.4307: a normal return lies inside ± 0.43 σ one time in three, whatever the horizon. */
const BAND_IN_SIGMAS = 0.43;

/** Closes by day from the first to the last, NaN where one is missing. */
export function denseCloses(closes: readonly DailyClose[]): Float64Array {
  const first = closes[0]?.day ?? 0;
  const last = closes.at(-1)?.day ?? first - 1;
  const dense = new Float64Array(last - first + 1).fill(Number.NaN);
  for (const { day, close } of closes) dense[day - first] = close;
  return dense;
}

/**
 * Realised volatility (Andersen and Bollerslev 1998) of one day at each day: the root of the mean squared daily log
 * return of the trailing 30 days. The mean return is not taken off. A return needs the closes of two days in a row;
 * with fewer than 20 of them the volatility is NaN.
 */
export function dailyVolatility(closes: Float64Array): Float64Array {
  const squares = closes.map((close, i) => Math.log(close / (closes[i - 1] ?? Number.NaN)) ** 2);
  return closes.map((_, i) => {
    let [sum, n] = [0, 0];
    for (let j = Math.max(0, i - TRAILING_DAYS + 1); j <= i; j++) {
      const square = squares[j] as number;
      if (Number.isNaN(square)) continue;
      sum += square;
      n++;
    }
    return n < FEWEST_RETURNS ? Number.NaN : Math.sqrt(sum / n);
  });
}

/** σ of a horizon at the last close: the daily one times √days. Null when fewer than 20 returns are known. */
export function realisedVolatility(closes: readonly DailyClose[], horizonDays: number): number | null {
  const daily = dailyVolatility(denseCloses(closes.slice(-TRAILING_DAYS - 1))).at(-1) ?? Number.NaN;
  return Number.isNaN(daily) ? null : daily * Math.sqrt(horizonDays);
}

export const flatBand = (sigma: number): number => BAND_IN_SIGMAS * sigma;

/** The class of a log return r = ln(P(t + h) / P(t)); the edges of the band are flat. */
export function outcomeOf(r: number, band: number): Outcome {
  if (Math.abs(r) <= band) return 'flat';
  return r > 0 ? 'up' : 'down';
}
