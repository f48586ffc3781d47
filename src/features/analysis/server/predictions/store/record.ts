import { sql } from 'kysely';

import {
  type Asset,
  type Backtest,
  type BacktestSummary,
  backtestSummary,
  type CallState,
  HORIZONS,
  type Horizon,
} from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { StoredCall } from './calls.ts';
import { callOf, type Flat } from './ledger.ts';

/** The record of now, and what of it is shown of this moment later. */
export async function saveRecord(db: Db, record: Backtest, summary: BacktestSummary): Promise<void> {
  const row = { scored_at: record.timestamp, body: JSON.stringify(record) };
  const then = { scored_at: record.timestamp, body: JSON.stringify(summary) };
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('prediction_record')
      .values(row)
      .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
      .execute();
    await tx
      .insertInto('prediction_records')
      .values(then)
      .onConflict((oc) => oc.column('scored_at').doUpdateSet(then))
      .execute();
  });
}

export async function findRecord(db: Db): Promise<Backtest | undefined> {
  const row = await db.selectFrom('prediction_record').select('body').executeTakeFirst();
  return row?.body as Backtest | undefined;
}

const withRanges = <T extends object>(cell: T) => ({ ranges: null, ...cell });

/** As it was last scored by a moment. */
export async function findRecordAt(db: Db, moment: Date): Promise<BacktestSummary | undefined> {
  const row = await db
    .selectFrom('prediction_records')
    .select('body')
    .where('scored_at', '<=', moment.toISOString())
    .orderBy('scored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What an earlier version stored may say less than is shown today: before ranges were graded there are none.
  const stored: Partial<BacktestSummary> | undefined = row?.body;
  const { headline, cells } = stored ?? {};
  return backtestSummary.safeParse({
    ...stored,
    headline: headline && withRanges(headline),
    cells: cells?.map(withRanges),
  }).data;
}

/** Of days that ended before `until` the last scoring stays. */
export async function thinRecords(db: Db, until: Date): Promise<void> {
  await sql`delete from prediction_records r where r.scored_at < ${until.toISOString()}
    and exists (select 1 from prediction_records l where l.scored_at > r.scored_at
      and l.scored_at < date_trunc('day', r.scored_at at time zone 'UTC') at time zone 'UTC' + interval '1 day')`.execute(
    db,
  );
}

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
