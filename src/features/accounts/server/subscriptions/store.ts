import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Plan } from '#shared/contract.ts';

import type { Fact } from './ledger.ts';
import './schema.ts';

export async function factsOf(db: Db, userIds: readonly number[]): Promise<Map<number, Fact[]>> {
  const facts = new Map<number, Fact[]>(userIds.map((id) => [id, []]));
  if (userIds.length === 0) return facts;
  const rows = await db
    .selectFrom('entitlements')
    .select(['id', 'user_id', 'source', 'plan', 'starts_at', 'ends_at'])
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute();
  for (const row of rows)
    facts.get(row.user_id)?.push({
      id: row.id,
      source: row.source,
      plan: row.plan,
      startsAt: new Date(row.starts_at),
      endsAt: row.ends_at === null ? null : new Date(row.ends_at),
    });
  return facts;
}

export type LedgerEntry = Fact & { at: Date; createdBy: number | null; note: string };

/** Every fact of an account, newest first. */
export async function entriesOf(db: Db, userId: number): Promise<LedgerEntry[]> {
  const rows = await db
    .selectFrom('entitlements')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    plan: row.plan,
    startsAt: new Date(row.starts_at),
    endsAt: row.ends_at === null ? null : new Date(row.ends_at),
    at: new Date(row.created_at),
    createdBy: row.created_by,
    note: row.note,
  }));
}

export type NewFact = Omit<Fact, 'id'> & { userId: number; at: Date; createdBy: number | null; note: string };

export async function insertFact(db: Db, fact: NewFact): Promise<void> {
  await db
    .insertInto('entitlements')
    .values({
      user_id: fact.userId,
      source: fact.source,
      plan: fact.plan,
      starts_at: fact.startsAt.toISOString(),
      ends_at: fact.endsAt?.toISOString() ?? null,
      created_at: fact.at.toISOString(),
      created_by: fact.createdBy,
      note: fact.note,
    })
    .execute();
}

/** How many accounts have each plan now, as the ledger would say of each of them. */
export async function countPlans(db: Db, now: Date): Promise<Record<Plan, number>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await sql<{ plan: Plan; count: number }>`
    with newest as (
      select distinct on (user_id, source) user_id, plan, starts_at, ends_at from entitlements
      order by user_id, source, id desc),
    paid as (
      select bool_or(plan = 'premium') as premium from newest
      where plan <> 'free' and starts_at <= ${at} and (ends_at is null or ends_at > ${at})
        and user_id not in (select id from users where role = 'admin') group by user_id)
    select case when premium then 'premium' else 'pro' end as plan, count(*)::int as count from paid group by 1
    union all select 'admin', count(*)::int from users where role = 'admin'
    union all select 'free', count(*)::int from users`.execute(db);
  const counts = { free: 0, pro: 0, premium: 0, admin: 0 };
  for (const { plan, count } of rows) counts[plan] = count;
  return { ...counts, free: counts.free - counts.pro - counts.premium - counts.admin };
}
