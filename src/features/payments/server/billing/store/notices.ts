import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

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
