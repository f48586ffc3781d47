import { sql } from 'kysely';

import type { Asset, Horizon, Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import type { Ranges } from '../scoring/ranges.ts';
import '../schema.ts';
import { callOf } from './ledger.ts';

/** One call as flat columns. `band` is null when the volatility was unknown: such a call can only become void. */
export type CallRow = {
  seq: number;
  analysis_id: string;
  analyst: string;
  model: string;
  asset: Asset;
  horizon: Horizon;
  issued_at: string;
  resolves_at: string;
  imputed: boolean;
  price: number;
  band: number | null;
  probabilities: Probabilities;
  climatology: Probabilities;
  persistence: Probabilities;
  ranges: Ranges | null;
  trailingRanges: Ranges | null;
};

export type OutcomeRow = { call: number; outcome: Outcome | 'void'; realised: number | null; seq: number; at: string };

const listed = ({ up, flat, down }: Probabilities) => [up, flat, down];

/** All rows are one parameter: with one per value, building the statement took most of the time. */
export async function insertCalls(tx: Db, rows: readonly CallRow[]): Promise<void> {
  const flat = rows.map(({ probabilities, climatology, persistence, trailingRanges, ...row }) => ({
    ...row,
    ...probabilities,
    climatology: listed(climatology),
    persistence: listed(persistence),
    trailing_ranges: trailingRanges,
  }));
  const columns =
    sql.raw(`seq, analysis_id, analyst, model, asset, horizon, issued_at, resolves_at, imputed, price, band,
    up, flat, down, climatology, persistence, ranges, trailing_ranges`);
  await sql`insert into predictions (${columns})
    select ${columns} from json_populate_recordset(null::predictions, ${JSON.stringify(flat)}::json)`.execute(tx);
}

export async function insertAbsences(
  tx: Db,
  rows: readonly { seq: number; analysis_id: string; analyst: string; issued_at: string; reason: string }[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('analyst_absences')
      .values([...rows])
      .execute();
}

export type DueCall = Pick<CallRow, 'seq' | 'asset' | 'horizon' | 'resolves_at' | 'price' | 'band'>;

/** Calls without an outcome that are due, oldest first. */
export async function dueCalls(db: Db, now: Date, limit: number): Promise<DueCall[]> {
  const rows = await db
    .selectFrom('predictions')
    .select(['seq', 'asset', 'horizon', 'resolves_at', 'price', 'band'])
    .where('outcome', 'is', null)
    .where('resolves_at', '<=', now.toISOString())
    .orderBy('resolves_at')
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows as DueCall[];
}

/** Those of the calls that still have no outcome: another process may have been faster. */
export async function stillOpen(tx: Db, seqs: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('predictions')
    .select('seq')
    .where('seq', '=', sql<number>`any(${[...seqs]}::bigint[])`)
    .where('outcome', 'is', null)
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}

export async function saveOutcomes(tx: Db, rows: readonly OutcomeRow[]): Promise<void> {
  await sql`update predictions p set outcome = o.outcome, realised = o.realised, outcome_seq = o.seq, outcome_at = o.at
    from unnest(${rows.map(({ call }) => call)}::bigint[], ${rows.map(({ outcome }) => outcome)}::text[],
      ${rows.map(({ realised }) => realised)}::float8[], ${rows.map(({ seq }) => seq)}::bigint[],
      ${rows.map(({ at }) => at)}::timestamptz[]) as o (call, outcome, realised, seq, at)
    where p.seq = o.call`.execute(tx);
}

export type StoredCall = CallRow & {
  outcome: Outcome | 'void' | null;
  realised: number | null;
  outcome_seq: number | null;
  outcome_at: string | null;
};

/** Every call from one entry to another, with its outcome where there is one. */
export async function callsBetween(db: Db, from: number, to: number): Promise<StoredCall[]> {
  const rows = await db
    .selectFrom('predictions')
    .selectAll()
    .where('seq', '>', from)
    .where('seq', '<=', to)
    .orderBy('seq')
    .execute();
  return rows.map(callOf);
}

export type SettledCall = { seq: number; outcome: string; realised: number | null; outcome_seq: number };

/** Calls whose outcome was entered from one entry to another. */
export async function settledBetween(db: Db, from: number, to: number): Promise<SettledCall[]> {
  const rows = await db
    .selectFrom('predictions')
    .select(['seq', 'outcome', 'realised', 'outcome_seq'])
    .where('outcome_seq', '>', from)
    .where('outcome_seq', '<=', to)
    .execute();
  return rows as SettledCall[];
}

/** Calls that claim an outcome without naming its entry, or name one without an outcome. */
export async function halfSettled(db: Db): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`select seq from predictions
    where (outcome is null) <> (outcome_seq is null) order by seq limit 100`.execute(db);
  return rows.map(({ seq }) => seq);
}

/** Every call of the product's analysts, or of one forecaster of the league, in the order of the ledger. */
export async function iterateCalls(db: Db, forecasterId: number | null = null): Promise<StoredCall[]> {
  const rows = await db
    .selectFrom('predictions')
    .selectAll()
    .where('forecaster_id', forecasterId === null ? 'is' : '=', forecasterId)
    .orderBy('seq')
    .execute();
  return rows.map(callOf);
}

/** How often each analyst did not respond. */
export async function absencesByAnalyst(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ analyst: string; n: number }>`
    select analyst, count(*) as n from analyst_absences group by analyst`.execute(db);
  return new Map(rows.map(({ analyst, n }) => [analyst, n]));
}
