import type { Db } from '#server/platform/db.ts';

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
