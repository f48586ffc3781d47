import {
  type Backtest,
  type GradedCall,
  HORIZONS,
  type Horizon,
  type Outcome,
  SYMBOLS,
  type TrackCell,
} from '#features/analysis/contract/predictions.ts';

import { type ScoredCell, scoreAll } from '../scoring/all.ts';
import { recalibration } from '../scoring/calibration.ts';
import { spearman } from '../scoring/compare.ts';
import { areWeightsUsed, comparePools, type PooledForecast, weightsOf } from '../scoring/pool.ts';
import { type RangeScores, scoreRanges } from '../scoring/ranges.ts';
import { calledOutcome, isHit } from '../scoring/scores.ts';
import type { StoredCall } from '../store/calls.ts';

type Graded = StoredCall & { outcome: Outcome; realised: number; outcome_at: string };
const isGraded = (call: StoredCall): call is Graded => call.outcome !== null && call.outcome !== 'void';

/** What the past is learned from: when a call was made, and when its outcome was known. */
const learnable = ({ issued_at, outcome_at, probabilities, climatology, persistence, outcome }: Graded) => ({
  issuedAt: Date.parse(issued_at),
  settledAt: Date.parse(outcome_at),
  probabilities,
  climatology,
  persistence,
  outcome,
});

const SEPARATOR = '\u0000';

/** A provider's model. */
export const trackOf = ({ analyst, model }: Pick<StoredCall, 'analyst' | 'model'>): string =>
  `${analyst}${SEPARATOR}${model}`;

function partsOf(track: string): { analyst: string; model: string } {
  const [analyst = '', model = ''] = track.split(SEPARATOR);
  return { analyst, model };
}

/** One cell for each track and each horizon it has calls of, in the order of the first call of each track. */
function cellsOf(calls: readonly StoredCall[], absences: ReadonlyMap<string, number>, at: Date): TrackCell[] {
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
  return scoreAll(cells).map((cell, i) => toCell(cell, cells[i]?.rows ?? [], { currentModel, at }));
}

export const toTrackCall = (call: StoredCall) => ({
  issuedAt: Date.parse(call.issued_at),
  asset: call.asset,
  probabilities: call.probabilities,
  climatology: call.climatology,
  persistence: call.persistence,
  outcome: call.outcome,
  r: call.realised,
});

/** A scored cell in its public form; `rows` are its calls. */
export function toCell(
  { provider, horizon, summary, adjusted, verdict, assets }: ScoredCell,
  rows: readonly StoredCall[],
  { currentModel, at }: { currentModel: ReadonlyMap<string, string>; at: Date },
): TrackCell {
  const { analyst, model } = partsOf(provider);
  const graded = rows.filter(isGraded);
  const ranged = graded.map(({ realised, ranges, trailingRanges }) => ({ r: realised, ranges, trailingRanges }));
  const corrected = recalibration(graded.map(learnable), horizon, at.getTime());
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
    ranges: rangeScoresOf(scoreRanges(ranged)),
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

const rangeScoresOf = (ranged: RangeScores | null): TrackCell['ranges'] =>
  ranged && {
    n: ranged.n,
    coverage_80: ranged.coverage[80],
    coverage_95: ranged.coverage[95],
    width_80: ranged.width[80],
    width_95: ranged.width[95],
    score_80: ranged.score?.[80] ?? null,
    score_80_trailing: ranged.scoreTrailing?.[80] ?? null,
    score_95: ranged.score?.[95] ?? null,
    score_95_trailing: ranged.scoreTrailing?.[95] ?? null,
  };

type Scope = { at: Date; consensus: string };

/** Equal weights against weights by the past, at each horizon; the consensus itself does not count. `calls` in the order of the ledger. */
export function poolsOf(calls: readonly StoredCall[], { at, consensus }: Scope): Backtest['pools'] {
  const graded = calls.filter(isGraded).filter(({ analyst }) => analyst !== consensus);
  const newest = [...new Map(graded.map((call) => [call.analyst, trackOf(call)])).values()];
  const compared = HORIZONS.flatMap((horizon) => {
    const asked = Map.groupBy(
      graded.filter((call) => call.horizon === horizon),
      ({ analysis_id, asset }) => `${analysis_id} ${asset}`,
    );
    const found = comparePools([...asked.values()].map(forecastOf), horizon, at.getTime());
    return found ? [{ horizon, found }] : [];
  });
  const used = areWeightsUsed(compared.map(({ horizon, found }) => ({ horizon, ...found })));
  return compared.map(({ horizon, found }, i) => {
    const weights = weightsOf(newest.map((track) => found.gains.get(track) ?? 0));
    return {
      horizon,
      n: found.n,
      dates: found.dates,
      brier_equal: found.brierEqual,
      brier_weighted: found.brierWeighted,
      p_better: found.pBetter,
      used: used[i] ?? false,
      weights: newest.map((track, t) => {
        const { analyst, model } = partsOf(track);
        return { provider: analyst, model, weight: weights[t] ?? 0 };
      }),
    };
  });
}

function forecastOf(calls: readonly Graded[]): PooledForecast {
  const [first] = calls as [Graded, ...Graded[]];
  const { issuedAt, settledAt, outcome } = learnable(first);
  const members = calls.map((call) => ({ track: trackOf(call), probabilities: call.probabilities }));
  return { issuedAt, settledAt, outcome, members };
}

const RECENT = 60;
/** Below that many calls a correlation says nothing. */
const LEAST_CALLS = 10;
export const DIRECTION = { up: 'BULLISH', flat: 'NEUTRAL', down: 'BEARISH' } as const;

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (hits: number, n: number): number | null => (n === 0 ? null : (100 * hits) / n);

/**
 * The record of every track, one track for each provider's model. `calls` in the order of the ledger; `absences` counts how
 * often a provider was asked and gave no answer. The consensus is scored like the others, but not counted among them.
 */
export function composeRecord(
  calls: readonly StoredCall[],
  absences: ReadonlyMap<string, number>,
  { at, consensus }: Scope,
): Backtest {
  const graded = calls.filter(isGraded);
  const counted = graded.filter(({ analyst }) => analyst !== consensus);
  const correlations = correlationsOf(counted);
  const hits = (rows: readonly Graded[]) =>
    rows.filter(({ probabilities, outcome }) => isHit(probabilities, outcome)).length;
  const cells = cellsOf(calls, absences, at);
  return {
    timestamp: at.toISOString(),
    overall_accuracy: percent(hits(counted), counted.length),
    total_predictions: counted.length,
    average_correlation: meanOf(correlations.map(({ value }) => value)),
    by_symbol: Object.fromEntries(
      SYMBOLS.map((symbol) => {
        const rows = counted.filter(({ asset }) => asset === symbol);
        const own = correlations.filter(({ asset }) => asset === symbol).map(({ value }) => value);
        return [
          symbol,
          {
            totalPredictions: rows.length,
            accuracy: percent(hits(rows), rows.length),
            avgCorrelation: meanOf(own),
          },
        ];
      }),
    ),
    recent_results: recentOf(counted),
    headline: cells.filter(({ n }) => n > 0).toSorted((a, b) => b.n_eff - a.n_eff || b.n - a.n)[0] ?? null,
    cells,
    pools: poolsOf(calls, { at, consensus }),
  };
}

const seriesOf = ({ analyst, asset, horizon }: StoredCall) => `${analyst} ${asset} ${horizon}`;
const lean = ({ probabilities: { up, down } }: StoredCall) => up - down;

function correlationOf(rows: readonly Graded[]): number | null {
  if (rows.length < LEAST_CALLS) return null;
  return spearman(
    rows.map(lean),
    rows.map(({ realised }) => realised),
  );
}

/** One rank correlation for each provider, symbol and horizon with enough calls. */
function correlationsOf(rows: readonly Graded[]): { asset: string; value: number }[] {
  return [...Map.groupBy(rows, seriesOf).values()].flatMap((series) => {
    const value = correlationOf(series);
    return value === null ? [] : [{ asset: series[0]?.asset ?? '', value }];
  });
}

function recentOf(rows: readonly Graded[]): GradedCall[] {
  const bySeries = Map.groupBy(rows, seriesOf);
  const newest = rows.toSorted((a, b) => b.outcome_at.localeCompare(a.outcome_at) || b.seq - a.seq).slice(0, RECENT);
  return newest.map((call) => {
    const upToHere = (bySeries.get(seriesOf(call)) ?? []).filter(({ seq }) => seq <= call.seq);
    return {
      seq: call.seq,
      crypto_symbol: call.asset,
      provider: call.analyst,
      model: call.model,
      horizon: call.horizon,
      issued_at: call.issued_at,
      resolved_at: call.outcome_at,
      probabilities: call.probabilities,
      predicted_direction: DIRECTION[calledOutcome(call.probabilities)],
      actual_direction: DIRECTION[call.outcome],
      realised: call.realised,
      accuracy: isHit(call.probabilities, call.outcome) ? 100 : 0,
      correlation_score: correlationOf(upToHere),
    };
  });
}
