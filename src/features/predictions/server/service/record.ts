import {
  type Backtest,
  type GradedCall,
  HORIZONS,
  type Horizon,
  type Outcome,
  SYMBOLS,
  type TrackCell,
} from '#features/predictions/contract.ts';

import { type ScoredCell, scoreAll } from '../scoring/all.ts';
import { spearman } from '../scoring/rank.ts';
import { calledOutcome, isHit } from '../scoring/scores.ts';
import type { StoredCall } from '../store/calls.ts';

const RECENT = 60;
/** Below that many calls a correlation says nothing. */
const LEAST_CALLS = 10;
export const DIRECTION = { up: 'BULLISH', flat: 'NEUTRAL', down: 'BEARISH' } as const;

type Graded = StoredCall & { outcome: Outcome; realised: number; outcome_at: string };
const isGraded = (call: StoredCall): call is Graded => call.outcome !== null && call.outcome !== 'void';

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
  { at, consensus }: { at: Date; consensus: string },
): Backtest {
  const graded = calls.filter(isGraded);
  const counted = graded.filter(({ analyst }) => analyst !== consensus);
  const correlations = correlationsOf(counted);
  const hits = (rows: readonly Graded[]) =>
    rows.filter(({ probabilities, outcome }) => isHit(probabilities, outcome)).length;
  const cells = cellsOf(calls, absences);
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

const TRACK_SEPARATOR = '\u0000';
const trackOf = ({ analyst, model }: StoredCall) => `${analyst}${TRACK_SEPARATOR}${model}`;

function cellsOf(calls: readonly StoredCall[], absences: ReadonlyMap<string, number>): TrackCell[] {
  const byTrack = Map.groupBy(calls, trackOf);
  const currentModel = new Map(calls.map(({ analyst, model }) => [analyst, model]));
  const cells = [...byTrack].flatMap(([track, own]) =>
    HORIZONS.flatMap((horizon) => {
      const rows = own.filter((call) => call.horizon === horizon);
      if (rows.length === 0) return [];
      const [analyst = '', model = ''] = track.split(TRACK_SEPARATOR);
      // Whoever gives no answer has no model: its absences count against the model it has now.
      const absent = currentModel.get(analyst) === model ? (absences.get(analyst) ?? 0) * SYMBOLS.length : 0;
      return [{ provider: track, horizon, calls: rows.map(toTrackCall), expected: rows.length + absent }];
    }),
  );
  return scoreAll(cells).map((cell) => toCell(cell, currentModel));
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
): TrackCell {
  const [analyst = '', model = ''] = provider.split(TRACK_SEPARATOR);
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
