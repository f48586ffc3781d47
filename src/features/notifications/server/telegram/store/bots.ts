import { sql } from 'kysely';
import type { CommandName, CommandOutcome } from '#features/notifications/contract/telegram.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type KnownBot = { username: string; nextUpdateId: number | null; updatedAt: string };

/** Last known state of the bot. */
export type BotStatusRow = {
  username: string;
  worker: string | null;
  workerSince: string | null;
  readAt: string | null;
  heardAt: string | null;
  webhookAt: string | null;
  error: string | null;
  errorAt: string | null;
  /** Whether any process currently holds the lock. */
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

type BotActivity = Partial<
  Pick<BotStatusRow, 'worker' | 'workerSince' | 'readAt' | 'heardAt' | 'webhookAt' | 'error' | 'errorAt'>
>;
const COLUMNS = {
  worker: 'worker',
  workerSince: 'worker_since',
  readAt: 'read_at',
  heardAt: 'heard_at',
  webhookAt: 'webhook_at',
  error: 'error',
  errorAt: 'error_at',
} as const;

/** Nothing is stored for a bot whose name is not known yet. */
export async function saveActivity(db: Db, botId: number, seen: BotActivity): Promise<void> {
  const set = Object.fromEntries(
    Object.entries(seen).map(([key, value]) => [COLUMNS[key as keyof BotActivity], value]),
  );
  await db.updateTable('telegram_bots').set(set).where('bot_id', '=', botId).execute();
}

/** `lock` is the number of the advisory lock that elects one worker. */
export async function findActivity(db: Db, botId: number, lock: number): Promise<BotStatusRow | undefined> {
  const { rows } = await sql<BotStatusRow>`select username, worker, worker_since as "workerSince", read_at as "readAt",
      heard_at as "heardAt", webhook_at as "webhookAt", error, error_at as "errorAt",
      exists (select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${lock}::int and l.objsubid = 1 and l.granted) as "isHeld"
    from telegram_bots where bot_id = ${botId}::bigint`.execute(db);
  return rows[0];
}

/** Retention limit, however much is written to the bot. */
const MAX_COMMANDS = 50_000;

export type Command = { botId: number; updateId: number; command: CommandName; outcome: CommandOutcome; at: Date };

/** An update delivered twice is one command, with its latest outcome. */
export async function saveCommand(db: Db, { botId, updateId, command, outcome, at }: Command): Promise<void> {
  await db
    .insertInto('telegram_commands')
    .values({ bot_id: botId, update_id: updateId, command, outcome, at: at.toISOString() })
    .onConflict((oc) => oc.columns(['bot_id', 'update_id']).doUpdateSet({ command, outcome, at: at.toISOString() }))
    .execute();
}

export async function newestCommands(db: Db, botId: number, count: number) {
  return db
    .selectFrom('telegram_commands')
    .select(['id', 'at', 'command', 'outcome'])
    .where('bot_id', '=', botId)
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
}

export async function countCommands(db: Db, botId: number, from: Date): Promise<Map<CommandName, number>> {
  const { rows } = await sql<{ command: CommandName; n: number }>`select command, count(*)::int as n
    from telegram_commands where bot_id = ${botId}::bigint and at >= ${from.toISOString()}::timestamptz
    group by command`.execute(db);
  return new Map(rows.map(({ command, n }) => [command, n]));
}

/** Deletes commands that are too old or above the limit. */
export async function deleteOldCommands(db: Db, before: Date): Promise<void> {
  await sql`delete from telegram_commands where at < ${before.toISOString()}::timestamptz
    or id <= (select max(id) from telegram_commands) - ${MAX_COMMANDS}`.execute(db);
}
