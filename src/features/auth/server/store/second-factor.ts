import { sql } from 'kysely';

import type { Db } from '#server/platform/db.ts';

/** True when signing in by password alone is not enough. The table belongs to the feature two-factor, which builds on this one. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from two_factor where user_id = ${userId} and enabled_at is not null`.execute(db);
  return rows.length > 0;
}
