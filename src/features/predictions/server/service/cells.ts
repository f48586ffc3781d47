import { HORIZONS, type Horizon, SYMBOLS, type TrackCell } from '#features/predictions/contract.ts';

import { type ScoredCell, scoreAll } from '../scoring/all.ts';
import { type Recalibration, recalibration } from '../scoring/recalibration.ts';
import type { StoredCall } from '../store/calls.ts';
import { isGraded, learnable } from './graded.ts';
import { partsOf, trackOf } from './track-name.ts';

/** One cell for each track and each horizon it has calls of, in the order of the first call of each track. */
export function cellsOf(calls: readonly StoredCall[], absences: ReadonlyMap<string, number>, at: Date): TrackCell[] {
  const byTrack = Map.groupBy(calls, trackOf);
  const currentModel = new Map(calls.map(({ analyst, model }) => [analyst, model]));
  const cells = [...byTrack].flatMap(([track, own]) =>
    HORIZONS.flatMap((horizon) => {
      const rows = own.filter((call) => call.horizon === horizon);
      if (rows.length === 0) return [];
      const { analyst, model } = partsOf(track);
      // Whoever gives no answer has no model: its absences count against the model it has now.
      const absent = currentModel.get(analyst) === model ? (absences.get(analyst) ?? 0) * SYMBOLS.length : 0;
      return [{ provider: track, horizon, rows, calls: rows.map(toTrackCall), expected: rows.length + absent }];
    }),
  );
  return scoreAll(cells).map((cell, i) => {
    const graded = (cells[i]?.rows ?? []).filter(isGraded).map(learnable);
    return toCell(cell, currentModel, recalibration(graded, cell.horizon, at.getTime()));
  });
}

const toTrackCall = (call: StoredCall) => ({
  issuedAt: Date.parse(call.issued_at),
  asset: call.asset,
  probabilities: call.probabilities,
  climatology: call.climatology,
  persistence: call.persistence,
  outcome: call.outcome,
  r: call.realised,
});

function toCell(
  { provider, horizon, summary, adjusted, verdict, assets }: ScoredCell,
  currentModel: ReadonlyMap<string, string>,
  corrected: Recalibration | null,
): TrackCell {
  const { analyst, model } = partsOf(provider);
  return {
    provider: analyst,
    model,
    current: currentModel.get(analyst) === model,
    horizon: horizon satisfies Horizon,
    verdict,
    p_ahead: adjusted?.ahead ?? null,
    p_behind: adjusted?.behind ?? null,
    n: summary.n,
    dates: summary.dates,
    n_eff: summary.nEff,
    pending: summary.pending,
    voids: summary.voids,
    void_rate: summary.voidRate,
    missing: summary.missing ?? 0,
    hit_rate: summary.hitRate,
    hit_interval: summary.wilson,
    brier: summary.brier,
    brier_climatology: summary.brierClimatology,
    brier_persistence: summary.brierPersistence,
    brier_always_up: summary.brierAlwaysUp,
    brier_uniform: summary.brierUniform,
    skill: summary.skill,
    rps: summary.rps,
    log_score: summary.logScore,
    rank_correlation: summary.spearman,
    difference: summary.bootstrap && {
      mean: summary.bootstrap.mean,
      low: summary.bootstrap.low,
      high: summary.bootstrap.high,
    },
    direction:
      summary.pt === 'not testable'
        ? null
        : {
            n: summary.pt.n,
            success_rate: summary.pt.successRate,
            expected: summary.pt.expected,
            p: summary.pt.pAhead,
          },
    recalibrated: corrected && {
      brier: corrected.brier,
      skill: corrected.skill,
      log_score: corrected.logScore,
      map: corrected.map,
    },
    calibration: summary.calibration,
    assets: assets.map(({ asset, n, hitRate, brier, brierClimatology, skill, logScore }) => ({
      symbol: asset,
      n,
      hit_rate: hitRate,
      brier,
      brier_climatology: brierClimatology,
      skill,
      log_score: logScore,
    })),
  };
}
