import { sql } from 'kysely';

import type { Asset, CallState, Horizon } from '#features/analysis/contract/predictions.ts';
import { HORIZONS } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import type { StoredCall } from './calls.ts';
import { callOf, type Flat } from './flat.ts';

export type CallFilter = {
  provider?: string | undefined;
  asset?: Asset | undefined;
  horizon?: Horizon | undefined;
  state?: CallState | undefined;
  /** Only calls before this entry. */
  before?: number | undefined;
};

export type RecordedRow = StoredCall & { state: CallState; void_reason: string | null };

const STATES: readonly CallState[] = ['open', 'graded', 'void'];

/**
 * The newest calls that fit, newest first. Each horizon and state has its own place in an index: the newest of each are
 * read there and merged, so that a filter costs the same however rare its calls are.
 */
export async function recordedCalls(
  db: Db,
  { provider, asset, horizon, state, before = Number.MAX_SAFE_INTEGER }: CallFilter,
  limit: number,
): Promise<RecordedRow[]> {
  const horizons = horizon ? [horizon] : [...HORIZONS];
  const states = state ? [state] : [...STATES];
  // League calls are returned only for a given forecaster.
  const byProvider = provider === undefined ? sql`and p.forecaster_id is null` : sql`and p.analyst = ${provider}`;
  const byAsset = asset === undefined ? sql`` : sql`and p.asset = ${asset}`;
  const { rows } = await sql<Flat & { state: CallState; void_reason: string | null }>`
    select c.*, case when c.state = 'void' then
        (select l.body::jsonb ->> 'reason' from prediction_ledger l where l.seq = c.outcome_seq) end as void_reason
    from unnest(${horizons}::text[]) as h (horizon), unnest(${states}::text[]) as s (state),
      lateral (select * from predictions p
        where p.horizon = h.horizon and p.state = s.state and p.seq < ${before} ${byProvider} ${byAsset}
        order by p.seq desc limit ${limit}) c
    order by c.seq desc limit ${limit}`.execute(db);
  return rows.map(({ state: is, void_reason, ...row }) => ({ ...callOf(row), state: is, void_reason }));
}

/** Calls after an entry, with their outcomes, in the order of the ledger. */
export async function callsAfter(db: Db, seq: number, limit: number): Promise<StoredCall[]> {
  const rows = await db
    .selectFrom('predictions')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(callOf);
}
