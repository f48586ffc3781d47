import type { Db } from '#server/platform/db.ts';

import '../schema.ts';

export type KnownBot = { username: string; nextUpdateId: number | null; updatedAt: string };

export async function findBot(db: Db, botId: number): Promise<KnownBot | undefined> {
  const row = await db.selectFrom('telegram_bots').selectAll().where('bot_id', '=', botId).executeTakeFirst();
  return row && { username: row.username, nextUpdateId: row.next_update_id, updatedAt: row.updated_at };
}

export async function saveBot(db: Db, botId: number, username: string, at: Date): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({ bot_id: botId, username, next_update_id: null, updated_at: at.toISOString() })
    .onConflict((oc) => oc.column('bot_id').doUpdateSet({ username }))
    .execute();
}

export async function saveNextUpdate(db: Db, botId: number, nextUpdateId: number, at: Date): Promise<void> {
  await db
    .updateTable('telegram_bots')
    .set({ next_update_id: nextUpdateId, updated_at: at.toISOString() })
    .where('bot_id', '=', botId)
    .execute();
}
