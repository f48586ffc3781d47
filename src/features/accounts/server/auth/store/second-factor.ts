import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

/** True when signing in by password alone is not enough. The table belongs to the feature two-factor, which builds on this one. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from two_factor where user_id = ${userId} and enabled_at is not null`.execute(db);
  return rows.length > 0;
}

/** Who has set a new password starts with no wrong codes. */
export async function forgiveCodes(tx: Db, userId: number): Promise<void> {
  await sql`update two_factor set wrong_codes = 0, wait_until = null where user_id = ${userId}`.execute(tx);
}
