import { sql } from 'kysely';
import type { Db } from '#server/platform/db.ts';
import type { ApiScope } from '#shared/contract.ts';

import './schema.ts';

export type FoundKey = { id: number; userId: number; role: 'user' | 'admin'; scopes: ApiScope[] };

/** The key that is active, by its hash or the one before it. */
export async function findKey(db: Db, hash: Buffer, now: Date): Promise<FoundKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.user_id', 'users.role', 'api_keys.scopes'])
    .where('ended_at', 'is', null)
    .where((eb) =>
      eb.or([eb('hash', '=', hash), eb.and([eb('old_hash', '=', hash), eb('old_until', '>', now.toISOString())])]),
    )
    .executeTakeFirst();
  return row && { id: row.id, userId: row.user_id, role: row.role, scopes: row.scopes };
}

/** Spends one call of a day; the calls spent with it, or undefined when none is left. */
export async function spendCall(db: Db, userId: number, day: string, limit: number): Promise<number | undefined> {
  const { rows } = await sql<{ spent: number }>`insert into api_days (user_id, day, spent) values (${userId}, ${day}, 1)
    on conflict (user_id, day) do update set spent = api_days.spent + 1 where api_days.spent < ${limit}
    returning spent`.execute(db);
  return rows[0]?.spent;
}
