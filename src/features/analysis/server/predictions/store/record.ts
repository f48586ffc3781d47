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

/** The current record, and the part retained for the time control. */
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

/** As last scored before a moment. */
export async function findRecordAt(db: Db, moment: Date): Promise<BacktestSummary | undefined> {
  const row = await db
    .selectFrom('prediction_records')
    .select('body')
    .where('scored_at', '<=', moment.toISOString())
    .orderBy('scored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A record stored by an earlier version may lack fields: before ranges were graded there are none.
  const stored: Partial<BacktestSummary> | undefined = row?.body;
  const { headline, cells } = stored ?? {};
  return backtestSummary.safeParse({
    ...stored,
    headline: headline && withRanges(headline),
    cells: cells?.map(withRanges),
  }).data;
}

/** For days that ended before `until` only the last scoring is retained. */
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
 * The newest matching calls, newest first. Each horizon and state is indexed: the newest of each are read and merged,
 * so that the cost of a filter does not depend on how rare its calls are.
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

/** Calls after an entry, with their outcomes, in ledger order. */
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
