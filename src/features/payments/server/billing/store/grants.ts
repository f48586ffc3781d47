import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { Grant } from '../plan-periods.ts';
import '../schema.ts';

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
