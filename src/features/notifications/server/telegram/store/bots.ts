import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type KnownBot = { username: string; nextUpdateId: number | null; updatedAt: string };

/** How the bot was last seen to be. */
export type BotLife = {
  username: string;
  worker: string | null;
  workerSince: string | null;
  readAt: string | null;
  heardAt: string | null;
  webhookAt: string | null;
  error: string | null;
  errorAt: string | null;
  /** Whether any process holds the lock at this moment. */
  isHeld: boolean;
};

const UNSEEN = {
  worker: null,
  worker_since: null,
  read_at: null,
  heard_at: null,
  webhook_at: null,
  error: null,
  error_at: null,
};

export async function findBot(db: Db, botId: number): Promise<KnownBot | undefined> {
  const row = await db.selectFrom('telegram_bots').selectAll().where('bot_id', '=', botId).executeTakeFirst();
  return row && { username: row.username, nextUpdateId: row.next_update_id, updatedAt: row.updated_at };
}

export async function saveBot(db: Db, botId: number, username: string, at: Date): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({ bot_id: botId, username, next_update_id: null, updated_at: at.toISOString(), ...UNSEEN })
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

type Seen = Partial<Pick<BotLife, 'worker' | 'workerSince' | 'readAt' | 'heardAt' | 'webhookAt' | 'error' | 'errorAt'>>;
const COLUMNS = {
  worker: 'worker',
  workerSince: 'worker_since',
  readAt: 'read_at',
  heardAt: 'heard_at',
  webhookAt: 'webhook_at',
  error: 'error',
  errorAt: 'error_at',
} as const;

/** Of a bot whose name is not known yet nothing is kept. */
export async function saveSeen(db: Db, botId: number, seen: Seen): Promise<void> {
  const set = Object.fromEntries(Object.entries(seen).map(([key, value]) => [COLUMNS[key as keyof Seen], value]));
  await db.updateTable('telegram_bots').set(set).where('bot_id', '=', botId).execute();
}

/** `lock` is the number of the advisory lock by which one worker is chosen. */
export async function findLife(db: Db, botId: number, lock: number): Promise<BotLife | undefined> {
  const { rows } = await sql<BotLife>`select username, worker, worker_since as "workerSince", read_at as "readAt",
      heard_at as "heardAt", webhook_at as "webhookAt", error, error_at as "errorAt",
      exists (select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${lock}::int and l.objsubid = 1 and l.granted) as "isHeld"
    from telegram_bots where bot_id = ${botId}::bigint`.execute(db);
  return rows[0];
}
