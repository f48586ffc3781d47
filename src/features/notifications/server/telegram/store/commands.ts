import { sql } from 'kysely';

import type { CommandName, CommandOutcome } from '#features/notifications/contract/telegram.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** At most so many are kept, whatever is written to the bot. */
const KEPT = 50_000;

export type Command = { botId: number; updateId: number; command: CommandName; outcome: CommandOutcome; at: Date };

/** An update that comes twice is one command, with what became of it last. */
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

/** What is older, and what is more than may be kept. */
export async function forgetCommands(db: Db, before: Date): Promise<void> {
  await sql`delete from telegram_commands where at < ${before.toISOString()}::timestamptz
    or id <= (select max(id) from telegram_commands) - ${KEPT}`.execute(db);
}
