import type { Horizon, Outcome, Probabilities } from '#features/predictions/contract.ts';

import { baselines } from '../scoring/baselines.ts';
import { dailyVolatility, denseCloses, flatBand, outcomeOf } from '../scoring/volatility.ts';

const DAY_MS = 86_400_000;
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** The outcomes of windows of some days by the day they start at, for those that have ended. */
export type WindowOutcomes = (days: number) => ReadonlyMap<string, Outcome>;

/** Every past window of a series of daily closes, graded as a call of that day would have been. */
export function windowsOf(closes: readonly { day: string; close: number }[]): WindowOutcomes {
  const dense = denseCloses(closes.map(({ day, close }) => ({ day: numberOf(day), close })));
  const volatility = dailyVolatility(dense);
  const first = numberOf(closes[0]?.day ?? '1970-01-01');
  return (days) =>
    new Map(
      closes.flatMap(({ day, close }): [string, Outcome][] => {
        const start = numberOf(day) - first;
        const realised = Math.log((dense[start + days] ?? Number.NaN) / close);
        const band = flatBand((volatility[start] ?? Number.NaN) * Math.sqrt(days));
        return Number.isNaN(realised) || Number.isNaN(band) ? [] : [[day, outcomeOf(realised, band)]];
      }),
    );
}

/** How often each class came over the trailing year, as far as it was known at the last close. */
export const climatologyOf = (closes: readonly { day: string; close: number }[], horizon: Horizon): Probabilities =>
  baselines(
    closes.map(({ day, close }) => ({ day: numberOf(day), close })),
    horizon,
  ).climatology.probabilities;
