import { type Generated, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import type { Grant } from './plan-periods.ts';

type PlanGrantsTable = {
  id: Generated<number>;
  /** The unique origin of the grant: 'stripe:invoice:in_x', 'wallet:pay_x:1', 'trial:7', 'admin:3'. */
  source: string;
  user_id: number;
  plan: 'pro' | 'premium';
  months: number;
  days: Generated<number>;
  /** When the payment became valid (invoice paid, block mined), not when we learned of it. */
  good_at: string;
  /** Price paid in micro-dollars; 0 for a gift. */
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
  /** Micro-dollars: assets are positive, liabilities and revenue negative. */
  units: number;
};

type TrialsTable = { user_id: number; started_at: string; ends_at: string };

/** Keyed hashes of email addresses, retained after the account is deleted. */
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

/** Held until the end of the transaction by every change to an account's grants, credit or payments. */
export const lockBilling = (db: Db, userId: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(72460181, ${userId}::int)`.execute(db);

/** `lockBilling` for several accounts, in ascending order to avoid deadlocks. */
export async function lockBillingAccounts(db: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const sorted = userIds.toSorted((a, b) => a - b);
  await sql`select count(pg_advisory_xact_lock(72460181, id)) from unnest(${sorted}::int[]) as id`.execute(db);
}

/** False when that source was already granted. */
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

/** Owner of the grant; undefined when the source has no grant or it was already revoked. */
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

/** Every grant of an account, with revoked ones marked. */
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

/** Credits and debits from proration or by an administrator, newest first; payment methods report their own. */
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

/** False when the key already exists: then nothing is written. */
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

/** Ledger balance of an account: liabilities are negative. */
export async function readBalance(db: Db, account: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where account = ${account}`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}

/** Accounts with a bought, trial or granted plan that ends between two moments. */
export async function findEnding(db: Db, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`select distinct e.user_id from entitlements e
    join users u on u.id = e.user_id and u.role <> 'admin' and u.disabled_at is null
    where e.source like 'grant:%' and e.plan <> 'free'
      and e.ends_at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz
    order by e.user_id`.execute(db);
  return rows.map((row) => row.user_id);
}

/** False when that notice was already sent. */
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

export async function hasUsedTrial(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('trials').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

export async function hasAddressUsedTrial(db: Db, addressHashes: readonly Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('trial_addresses')
    .select('started_at')
    .where('address_hash', 'in', addressHashes)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type NewTrial = { userId: number; addressHash: Buffer; startedAt: Date; endsAt: Date };

/** False when the trial was already used by another account with the same address. */
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
