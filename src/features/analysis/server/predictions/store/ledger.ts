import { type Selectable, sql } from 'kysely';
import type { Probabilities } from '#features/analysis/contract/predictions.ts';
import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';
import type { LedgerEntry } from '../chain.ts';
import type { StoredCall } from './calls.ts';

/** Serialises appends, until the end of the transaction. */
const APPEND_LOCK = 7_246_020;

export async function lockLedger(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPEND_LOCK})`.execute(tx);
}

export async function lastEntry(db: Db): Promise<Pick<LedgerEntry, 'seq' | 'hash' | 'recorded_at'> | undefined> {
  return db
    .selectFrom('prediction_ledger')
    .select(['seq', 'hash', 'recorded_at'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertEntries(tx: Db, entries: readonly LedgerEntry[]): Promise<void> {
  await sql`insert into prediction_ledger (seq, recorded_at, kind, body, hash)
    select * from unnest(${entries.map(({ seq }) => seq)}::bigint[], ${entries.map((e) => e.recorded_at)}::timestamptz[],
      ${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ body }) => body)}::text[],
      ${entries.map(({ hash }) => hash)}::text[])`.execute(tx);
}

/** Entries after one, in order. */
export async function entriesAfter(db: Db, seq: number, limit: number): Promise<LedgerEntry[]> {
  const rows = await db
    .selectFrom('prediction_ledger')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows as LedgerEntry[];
}

export type Root = { day: string; through_seq: number; hash: string; published_at: string };

export async function roots(db: Db): Promise<Root[]> {
  return db.selectFrom('ledger_roots').selectAll().orderBy('day').execute();
}

/** The last entry of each UTC day that is over by `now` and has no root yet becomes its root. */
export async function publishRoots(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await sql`insert into ledger_roots (day, through_seq, hash, published_at)
    select d.day, l.seq, l.hash, ${at}::timestamptz from (
      select (recorded_at at time zone 'UTC')::date as day, max(seq) as seq from prediction_ledger
      where recorded_at < date_trunc('day', ${at}::timestamptz, 'UTC')
        and seq > coalesce((select max(through_seq) from ledger_roots), 0)
      group by 1) d join prediction_ledger l on l.seq = d.seq
    on conflict (day) do nothing`.execute(db);
}

/** A row of `predictions` as returned by the database. */
export type Flat = Omit<Selectable<Tables['predictions']>, 'state'>;

const named = ([up = 0, flat = 0, down = 0]: number[]): Probabilities => ({ up, flat, down });

export function callOf({ up, flat, down, climatology, persistence, trailing_ranges, ...row }: Flat): StoredCall {
  return {
    ...(row as unknown as Omit<StoredCall, 'probabilities' | 'climatology' | 'persistence' | 'trailingRanges'>),
    probabilities: { up, flat, down },
    climatology: named(climatology),
    persistence: named(persistence),
    trailingRanges: trailing_ranges,
  };
}
