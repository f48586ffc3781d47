import { HORIZON_DAYS, type Horizon } from '#features/analysis/contract/predictions.ts';

/** Central ranges by their nominal coverage. */
export const LEVELS = [0.8, 0.95] as const;
export type Level = (typeof LEVELS)[number];

/** Step of the adaptation one day ahead; smaller for longer horizons, whose windows overlap. */
const STEP = 0.01;
/** The adapted miss rate stays above this share of the nominal one. */
const LEAST_SHARE = 0.1;

/**
 * Split conformal ranges (Vovk, Gammerman, Shafer 2005) with adaptive conformal inference (Gibbs and Candès 2021). The
 * half width is a quantile of past residuals. Each settled date adjusts the target miss rate slightly, so coverage holds
 * when the distribution of residuals drifts.
 */
export function createRanges(level: Level, horizon: Horizon) {
  const nominal = 1 - level;
  const step = STEP / Math.sqrt(HORIZON_DAYS[horizon]);
  let missing: number = nominal;
  return {
    /** Half width in units of the forecast's scale; `residuals` ascending, of windows that have ended. */
    reach(residuals: Float64Array): number {
      const rank = Math.ceil((residuals.length + 1) * (1 - missing));
      return residuals[Math.min(residuals.length, rank) - 1] ?? Number.NaN;
    },
    /** Records a settled date; `missed` is the share of its coins whose return left the range. */
    settle(missed: number): void {
      missing = Math.min(0.5, Math.max(nominal * LEAST_SHARE, missing + step * (nominal - missed)));
    },
  };
}

/** Interval score of Gneiting and Raftery (2007): the width, and 2 ÷ (1 − level) times the distance outside. Lower is better. */
export function intervalScore(low: number, high: number, value: number, level: Level): number {
  const outside = Math.max(0, low - value) + Math.max(0, value - high);
  return high - low + (2 / (1 - level)) * outside;
}
