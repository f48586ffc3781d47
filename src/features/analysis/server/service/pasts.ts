import { TRACKED } from '#features/market/contract.ts';

import type { AnalysisContext } from '../context.ts';
import { FEATURE_METRICS } from '../local/features.ts';
import { type AssetPast, type Fits, fitAll } from '../local/model.ts';

const DAY_MS = 86_400_000;
/** The year of windows, the longest window, half a year of volatility before the first of them. */
const PAST_DAYS = 365 + 180 + 181;

/** What had happened by a moment: closes of days that were over, and metrics as they were known. */
export async function pastsAt({ market, metrics }: AnalysisContext, at: Date): Promise<AssetPast[]> {
  const from = new Date(at.getTime() - PAST_DAYS * DAY_MS);
  const [closes, series] = await Promise.all([
    market.dailyCloses(
      TRACKED.map(({ id }) => id),
      from,
      at,
    ),
    metrics.daily(FEATURE_METRICS, from, at),
  ]);
  const isOver = ({ day }: { day: string }) => Date.parse(`${day}T00:00:00Z`) + DAY_MS <= at.getTime();
  return TRACKED.map(({ id, symbol }) => ({
    asset: symbol,
    past: {
      closes: (closes.get(id) ?? []).filter(isOver).map(({ day, close }) => ({ day, value: close })),
      metrics: series,
    },
  }));
}

const WEEK_MS = 7 * DAY_MS;

/** Fits the built-in analyst anew each week; while there is too little past, each time. */
export function createFits(): (pasts: readonly AssetPast[], at: Date) => Fits {
  let kept: { week: number; fits: Fits } | null = null;
  return (pasts, at) => {
    const week = Math.floor(at.getTime() / WEEK_MS);
    if (kept?.week === week) return kept.fits;
    const fits = fitAll(pasts);
    kept = Object.values(fits).every(({ model }) => model !== null) ? { week, fits } : null;
    return fits;
  };
}
