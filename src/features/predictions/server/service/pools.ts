import { type Backtest, HORIZONS } from '#features/predictions/contract.ts';

import { comparePools, type PooledForecast, weightsOf } from '../scoring/weighted-pool.ts';
import { type Graded, learnable } from './graded.ts';
import { partsOf, trackOf } from './track-name.ts';

/** Equal weights against weights by the past, at each horizon; `graded` without the pool itself, in the order of the ledger. */
export function poolsOf(graded: readonly Graded[], at: Date): Backtest['pools'] {
  const newest = [...new Map(graded.map((call) => [call.analyst, trackOf(call)])).values()];
  return HORIZONS.flatMap((horizon) => {
    const asked = Map.groupBy(
      graded.filter((call) => call.horizon === horizon),
      ({ analysis_id, asset }) => `${analysis_id} ${asset}`,
    );
    const found = comparePools([...asked.values()].map(forecastOf), horizon, at.getTime());
    if (!found) return [];
    const weights = weightsOf(newest.map((track) => found.gains.get(track) ?? 0));
    return [
      {
        horizon,
        n: found.n,
        dates: found.dates,
        brier_equal: found.brierEqual,
        brier_weighted: found.brierWeighted,
        p_better: found.pBetter,
        weights: newest.map((track, i) => {
          const { analyst, model } = partsOf(track);
          return { provider: analyst, model, weight: weights[i] ?? 0 };
        }),
      },
    ];
  });
}

function forecastOf(calls: readonly Graded[]): PooledForecast {
  const [first] = calls as [Graded, ...Graded[]];
  const { issuedAt, settledAt, outcome } = learnable(first);
  const members = calls.map((call) => ({ track: trackOf(call), probabilities: call.probabilities }));
  return { issuedAt, settledAt, outcome, members };
}
