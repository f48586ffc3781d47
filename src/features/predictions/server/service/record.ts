import { type Backtest, type GradedCall, SYMBOLS } from '#features/predictions/contract.ts';

import { spearman } from '../scoring/rank.ts';
import { calledOutcome, isHit } from '../scoring/scores.ts';
import type { StoredCall } from '../store/calls.ts';
import { cellsOf } from './cells.ts';
import { type Graded, isGraded } from './graded.ts';
import { poolsOf } from './pools.ts';

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
  { at, consensus }: { at: Date; consensus: string },
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
    pools: poolsOf(counted, at),
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
