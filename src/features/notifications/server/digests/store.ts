import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

/** Digest frequency of a user. After switching digests off, deliveries already collected are sent as a daily digest. */
export async function readDigestSetting(db: Db, userId: number): Promise<'hourly' | 'daily' | 'weekly'> {
  const { rows } = await sql<{ every: string }>`select notification_preferences->'digest'->>'every' as every
    from users where id = ${userId}::bigint`.execute(db);
  const every = rows[0]?.every;
  return every === 'hourly' || every === 'weekly' ? every : 'daily';
}
