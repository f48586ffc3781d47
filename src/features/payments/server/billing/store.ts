import { type Generated, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import type { Grant } from './plan-periods.ts';

type PlanGrantsTable = {
  id: Generated<number>;
  /** What it rests on, once for ever: 'stripe:invoice:in_x', 'wallet:pay_x:1', 'trial:7', 'admin:3'. */
  source: string;
  user_id: number;
  plan: 'pro' | 'premium';
  months: number;
  days: Generated<number>;
  /** When the money was good (invoice paid, block mined), not when we heard of it. */
  good_at: string;
  /** Micro-dollars that it was bought for; 0 for a gift. */
  units: number;
  created_at: string;
  created_by: number | null;
  note: Generated<string>;
};

type PlanGrantRevocationsTable = { source: string; revoked_at: string; reason: string };

type JournalTable = { key: string; at: string; about: Generated<string>; created_by: Generated<number | null> };

type PostingsTable = {
  key: string;
  /** 'chain:base', 'chain:solana', 'stripe', 'credit:7', 'revenue', 'suspense', 'goodwill', 'loss'. */
  account: string;
  /** Micro-dollars: what we hold is positive, what we owe or have earned is negative. */
  units: number;
};

type TrialsTable = { user_id: number; started_at: string; ends_at: string };

/** Keyed hashes of addresses, kept when the account is gone. */
type TrialAddressesTable = { address_hash: Buffer; started_at: string };

type BillingNoticesTable = { key: string; user_id: number; kind: string; sent_at: string };

declare module '#kernel/db.ts' {
  interface Tables {
    plan_grants: PlanGrantsTable;
    plan_grant_revocations: PlanGrantRevocationsTable;
    journal: JournalTable;
    postings: PostingsTable;
    trials: TrialsTable;
    trial_addresses: TrialAddressesTable;
    billing_notices: BillingNoticesTable;
  }
}

export type NewGrant = Grant & { userId: number; at: Date; createdBy: number | null; note: string };

/** Whoever changes grants, credit or payments of an account holds this until the end of the transaction. */
export const lockBilling = (db: Db, userId: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(72460181, ${userId}::int)`.execute(db);

/** As `lockBilling` for several accounts, in ascending order, so that nobody waits in a circle. */
export async function lockBillingOf(db: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const sorted = userIds.toSorted((a, b) => a - b);
  await sql`select count(pg_advisory_xact_lock(72460181, id)) from unnest(${sorted}::int[]) as id`.execute(db);
}

/** False when that source was granted already. */
export async function insertGrant(db: Db, grant: NewGrant): Promise<boolean> {
  const row = await db
    .insertInto('plan_grants')
    .values({
      source: grant.source,
      user_id: grant.userId,
      plan: grant.plan,
      months: grant.months,
      days: grant.days,
      good_at: grant.goodAt.toISOString(),
      units: Number(grant.units),
      created_at: grant.at.toISOString(),
      created_by: grant.createdBy,
      note: grant.note,
    })
    .onConflict((on) => on.column('source').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose grant it was; undefined when there is none of that source or it was taken back already. */
export async function insertRevocation(
  db: Db,
  { source, at, reason }: { source: string; at: Date; reason: string },
): Promise<{ userId: number } | undefined> {
  const grant = await db.selectFrom('plan_grants').select('user_id').where('source', '=', source).executeTakeFirst();
  if (!grant) return undefined;
  const row = await db
    .insertInto('plan_grant_revocations')
    .values({ source, revoked_at: at.toISOString(), reason })
    .onConflict((on) => on.column('source').doNothing())
    .returning('source')
    .executeTakeFirst();
  return row && { userId: grant.user_id };
}

/** Every grant of an account, those taken back marked. */
export async function findGrants(db: Db, userId: number): Promise<(Grant & { isRevoked: boolean })[]> {
  const rows = await db
    .selectFrom('plan_grants as g')
    .leftJoin('plan_grant_revocations as r', 'r.source', 'g.source')
    .select(['g.source', 'g.plan', 'g.months', 'g.days', 'g.good_at', 'g.units', 'r.revoked_at'])
    .where('g.user_id', '=', userId)
    .orderBy('g.id')
    .execute();
  return rows.map((row) => ({
    source: row.source,
    plan: row.plan,
    months: row.months,
    days: row.days,
    goodAt: new Date(row.good_at),
    units: BigInt(row.units),
    isRevoked: row.revoked_at !== null,
  }));
}

export type CreditEntry = { key: string; at: Date; units: Units };

const MOST = 500;

/** What was put on or taken off an account by the rest of an earlier plan or by hand, newest first; ways to pay tell of their own. */
export async function findCreditEntries(db: Db, account: string): Promise<CreditEntry[]> {
  const rows = await db
    .selectFrom('postings as p')
    .innerJoin('journal as j', 'j.key', 'p.key')
    .select(['p.key', 'j.at', 'p.units'])
    .where('p.account', '=', account)
    .where((eb) => eb.or([eb('p.key', 'like', 'prorate:%'), eb('p.key', 'like', 'admin:%')]))
    .orderBy('j.at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(({ key, at, units }) => ({ key, at: new Date(at), units: BigInt(units) }));
}

export type NewEntry = {
  key: string;
  at: Date;
  about: string;
  createdBy: number | null;
  /** Account and micro-dollars; they sum to zero. */
  lines: readonly (readonly [account: string, units: Units])[];
};

/** False when the key stands already: then nothing is written. */
export async function insertEntry(db: Db, { key, at, about, createdBy, lines }: NewEntry): Promise<boolean> {
  const entry = await db
    .insertInto('journal')
    .values({ key, at: at.toISOString(), about, created_by: createdBy })
    .onConflict((on) => on.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!entry) return false;
  const rows = lines.filter(([, units]) => units !== 0n);
  if (rows.length > 0)
    await db
      .insertInto('postings')
      .values(rows.map(([account, units]) => ({ key, account, units: Number(units) })))
      .execute();
  return true;
}

/** Sum of an account as it stands in the books: what we owe is negative. */
export async function sumOf(db: Db, account: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where account = ${account}`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}

/** Accounts of which a plan that was bought, tried or given ends between two moments. */
export async function findEnding(db: Db, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`select distinct e.user_id from entitlements e
    join users u on u.id = e.user_id and u.role <> 'admin' and u.disabled_at is null
    where e.source like 'grant:%' and e.plan <> 'free'
      and e.ends_at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz
    order by e.user_id`.execute(db);
  return rows.map((row) => row.user_id);
}

/** False when that notice was given before. */
export async function insertNotice(
  db: Db,
  notice: { key: string; userId: number; kind: string; at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('billing_notices')
    .values({ key: notice.key, user_id: notice.userId, kind: notice.kind, sent_at: notice.at.toISOString() })
    .onConflict((on) => on.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined when the account was deleted: payments outlive it. */
export async function findAddress(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email;
}

export async function hasTried(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('trials').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

export async function hasAddressTried(db: Db, addressHashes: readonly Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('trial_addresses')
    .select('started_at')
    .where('address_hash', 'in', addressHashes)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type NewTrial = { userId: number; addressHash: Buffer; startedAt: Date; endsAt: Date };

/** False when another account of the address has had it. */
export async function insertTrial(db: Db, { userId, addressHash, startedAt, endsAt }: NewTrial): Promise<boolean> {
  await db
    .insertInto('trials')
    .values({ user_id: userId, started_at: startedAt.toISOString(), ends_at: endsAt.toISOString() })
    .execute();
  const added = await db
    .insertInto('trial_addresses')
    .values({ address_hash: addressHash, started_at: startedAt.toISOString() })
    .onConflict((oc) => oc.column('address_hash').doNothing())
    .returning('started_at')
    .executeTakeFirst();
  return added !== undefined;
}
