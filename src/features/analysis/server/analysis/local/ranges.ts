import { HORIZON_DAYS, type Horizon } from '#features/analysis/contract/predictions.ts';
import { type Level, missRate } from '#features/analysis/server/predictions/scoring/ranges.ts';

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
  const nominal = missRate(level);
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
