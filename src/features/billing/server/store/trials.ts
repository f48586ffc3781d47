import type { Db } from '#server/platform/db.ts';

import '../schema.ts';

export async function hasTried(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('trials').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

export async function insertTrial(db: Db, userId: number, startedAt: Date, endsAt: Date): Promise<void> {
  await db
    .insertInto('trials')
    .values({ user_id: userId, started_at: startedAt.toISOString(), ends_at: endsAt.toISOString() })
    .execute();
}
