import type { z } from 'zod/mini';

import type { getCalls, RecordedCall } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import { inUsd, isInside } from '../scoring/ranges.ts';
import { calledOutcome } from '../scoring/scores.ts';
import { type RecordedRow, recordedCalls } from '../store/recorded.ts';
import { DIRECTION } from './record.ts';

type Page = z.output<typeof getCalls.reply>;

/** One page of what was called, and what came. */
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
