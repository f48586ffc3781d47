import type { z } from 'zod/mini';

import type {
  Backtest,
  BacktestSummary,
  GradedCall,
  getCalls,
  RecordedCall,
  TrackCell,
} from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import { inUsd, isInside } from '../scoring/ranges.ts';
import { calledOutcome } from '../scoring/scores.ts';
import { type RecordedRow, recordedCalls } from '../store/record.ts';
import { DIRECTION } from './record.ts';

type Page = z.output<typeof getCalls.reply>;

/** One page of calls with their outcomes. */
export async function readCalls(db: Db, { limit, ...filter }: z.output<typeof getCalls.query>): Promise<Page> {
  const rows = await recordedCalls(db, filter, limit + 1);
  const calls = rows.slice(0, limit).map(toCall);
  return { calls, next: rows.length > limit ? (calls.at(-1)?.seq ?? null) : null };
}

function toCall(row: RecordedRow): RecordedCall {
  const called = calledOutcome(row.probabilities);
  const { price, realised, ranges } = row;
  const came = row.outcome === 'void' ? null : row.outcome;
  return {
    seq: row.seq,
    crypto_symbol: row.asset,
    provider: row.analyst,
    model: row.model,
    horizon: row.horizon,
    issued_at: row.issued_at,
    resolves_at: row.resolves_at,
    probabilities: row.probabilities,
    imputed: row.imputed,
    price,
    band: row.band,
    predicted_direction: DIRECTION[called],
    state: row.state,
    actual_direction: came && DIRECTION[came],
    realised,
    accuracy: came && (called === came ? 100 : 0),
    range_80: ranges && inUsd(ranges[80], price),
    range_95: ranges && inUsd(ranges[95], price),
    held_80: ranges && realised !== null ? isInside(ranges[80], realised) : null,
    held_95: ranges && realised !== null ? isInside(ranges[95], realised) : null,
    resolved_at: row.outcome_at,
    outcome_seq: row.outcome_seq,
    void_reason: row.void_reason,
  };
}

const RESULTS = 5;
const HITS = 40;
const CURVES: ReadonlySet<string> = new Set(['calibration', 'assets']);

/** The same record gives the same object, which is then serialised once. */
const summaries = new WeakMap<Backtest, BacktestSummary>();

const withoutCurves = (cell: TrackCell) =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => !CURVES.has(name))) as BacktestSummary['cells'][number];

/** The newest of each analyst in turn, preferring coins not yet listed: a batch ends at one moment. */
export function varied(results: readonly GradedCall[], count: number): GradedCall[] {
  const analysts = [...Map.groupBy(results, ({ provider, model }) => `${provider} ${model}`).values()];
  const chosen = new Set<GradedCall>();
  while (chosen.size < Math.min(count, results.length))
    for (const own of analysts) {
      const named = new Set([...chosen].map(({ crypto_symbol }) => crypto_symbol));
      const left = own.filter((call) => !chosen.has(call));
      const next = left.find(({ crypto_symbol }) => !named.has(crypto_symbol)) ?? left[0];
      if (next && chosen.size < count) chosen.add(next);
    }
  return results.filter((call) => chosen.has(call));
}

/** The part of the record shown on the dashboard. */
export function toSummary(record: Backtest): BacktestSummary {
  const known = summaries.get(record);
  if (known) return known;
  const { pools: _, ...shown } = record;
  const summary = {
    ...shown,
    recent_results: varied(record.recent_results, RESULTS),
    recent_hits: record.recent_results.slice(0, HITS).map(({ accuracy }) => accuracy === 100),
    headline: record.headline && withoutCurves(record.headline),
    cells: record.cells.filter(({ current }) => current).map(withoutCurves),
  };
  summaries.set(record, summary);
  return summary;
}
