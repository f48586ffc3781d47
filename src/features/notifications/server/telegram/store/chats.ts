import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type Chat = { userId: number; chatId: number; isBlocked: boolean; linkedBy: number };

const COLUMNS = ['user_id', 'chat_id', 'blocked_at', 'linked_by'] as const;
type Row = { user_id: number; chat_id: number; blocked_at: string | null; linked_by: number };
const toChat = ({ user_id, chat_id, blocked_at, linked_by }: Row): Chat => ({
  userId: user_id,
  chatId: chat_id,
  isBlocked: blocked_at !== null,
  linkedBy: linked_by,
});

export async function findUserChat(db: Db, botId: number, userId: number): Promise<Chat | undefined> {
  const row = await db
    .selectFrom('telegram_chats')
    .select(COLUMNS)
    .where('bot_id', '=', botId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && toChat(row);
}

/** Includes the user's switch for Telegram messages. */
export async function findChat(
  db: Db,
  botId: number,
  chatId: number,
): Promise<(Chat & { isWanted: boolean; announcements: boolean }) | undefined> {
  const row = await db
    .selectFrom('telegram_chats')
    .innerJoin('users', 'users.id', 'telegram_chats.user_id')
    .select([...COLUMNS, 'notify_telegram', 'telegram_announcements'])
    .where('bot_id', '=', botId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  return row && { ...toChat(row), isWanted: row.notify_telegram, announcements: row.telegram_announcements };
}

/** The switch of the profile and of the notification settings. */
export async function switchOn(tx: Db, userId: number): Promise<void> {
  await tx.updateTable('users').set({ notify_telegram: true }).where('id', '=', userId).execute();
}

/** Alerts are not affected. */
export async function setAnnouncements(db: Db, userId: number, on: boolean): Promise<void> {
  await db.updateTable('users').set({ telegram_announcements: on }).where('id', '=', userId).execute();
}

export type NewChat = { botId: number; userId: number; chatId: number; updateId: number; at: Date };

/** Takes the chat from any other user and replaces the user's previous chat, which is returned. */
export async function linkChat(tx: Db, { botId, userId, chatId, updateId, at }: NewChat): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`telegram ${botId} ${chatId}`}, 0))`.execute(tx);
  const before = await findUserChat(tx, botId, userId);
  await tx
    .deleteFrom('telegram_chats')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb.and([eb('bot_id', '=', botId), eb('chat_id', '=', chatId)])]))
    .execute();
  const now = at.toISOString();
  await tx
    .insertInto('telegram_chats')
    .values({
      user_id: userId,
      bot_id: botId,
      chat_id: chatId,
      linked_at: now,
      linked_by: updateId,
      blocked_at: null,
      free_at: now,
    })
    .execute();
  return before?.chatId === chatId ? undefined : before?.chatId;
}

/** Returns the chat that was connected. */
export async function unlinkChat(db: Db, userId: number): Promise<{ botId: number; chatId: number } | undefined> {
  const row = await db
    .deleteFrom('telegram_chats')
    .where('user_id', '=', userId)
    .returning(['bot_id', 'chat_id'])
    .executeTakeFirst();
  return row && { botId: row.bot_id, chatId: row.chat_id };
}

/** The user has blocked the bot or, with null, started it again. */
export async function markBlocked(db: Db, botId: number, chatId: number, at: Date | null): Promise<void> {
  await db
    .updateTable('telegram_chats')
    .set({ blocked_at: at?.toISOString() ?? null })
    .where('bot_id', '=', botId)
    .where('chat_id', '=', chatId)
    .where('blocked_at', at ? 'is' : 'is not', null)
    .execute();
}

/** Users this bot can write to; none without a bot. */
export const reachableUsers = (botId: number | null): RawBuilder<{ user_id: number }> =>
  sql<{ user_id: number }>`select user_id from telegram_chats where bot_id = ${botId} and blocked_at is null`;

export type SendSlot = { chatId: number; waitMs: number };

/**
 * Reserves the next free slot of each user's chat, a second apart across all processes. A user missing from the result
 * has no chat; with `waitMs` above `mostMs` nothing was reserved.
 */
export async function reserveSlot(
  db: Db,
  { botId, userId, now, mostMs }: { botId: number; userId: number; now: Date; mostMs: number },
): Promise<SendSlot | undefined> {
  const at = now.toISOString();
  const { rows } = await sql<{ chat_id: number; wait_ms: number }>`
    with chat as (
      select user_id, greatest(free_at, ${at}::timestamptz) as turn from telegram_chats
      where user_id = ${userId} and bot_id = ${botId} and blocked_at is null for update
    ), taken as (
      update telegram_chats set free_at = chat.turn + interval '1 second' from chat
      where telegram_chats.user_id = chat.user_id
        and chat.turn <= ${at}::timestamptz + make_interval(secs => ${mostMs / 1000})
    )
    select chat_id, (extract(epoch from (chat.turn - ${at}::timestamptz)) * 1000)::float8 as wait_ms
    from chat join telegram_chats using (user_id)`.execute(db);
  const row = rows[0];
  return row && { chatId: row.chat_id, waitMs: row.wait_ms };
}

export type Connected = {
  userId: number;
  email: string;
  chatId: number;
  linkedAt: string;
  lastSentAt: string | null;
  blockedAt: string | null;
  isOn: boolean;
  announcements: boolean;
};

type Wanted = { q: string | undefined; before: { linkedAt: string; userId: number } | undefined; count: number };

const holding = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const searched = (q: string | undefined): RawBuilder<unknown> => (q ? sql`u.email like ${holding(q)}` : sql`true`);

/** Users whose chat is connected to this bot, newest first. */
export async function connectedChats(db: Db, botId: number, { q, before, count }: Wanted): Promise<Connected[]> {
  const below = before
    ? sql`(c.linked_at, c.user_id) < (${before.linkedAt}::timestamptz, ${before.userId}::bigint)`
    : sql`true`;
  const { rows } = await sql<Connected>`select c.user_id as "userId", u.email, c.chat_id as "chatId",
      c.linked_at as "linkedAt", c.blocked_at as "blockedAt", u.notify_telegram as "isOn",
      u.telegram_announcements as announcements,
      (select d.sent_at from notification_deliveries d where d.user_id = c.user_id and d.channel = 'telegram'
        and d.state = 'sent' order by d.id desc limit 1) as "lastSentAt"
    from telegram_chats c join users u on u.id = c.user_id
    where c.bot_id = ${botId}::bigint and ${searched(q)} and ${below}
    order by c.linked_at desc, c.user_id desc limit ${count}`.execute(db);
  return rows;
}

export async function countConnected(db: Db, botId: number, q: string | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from telegram_chats c
    join users u on u.id = c.user_id where c.bot_id = ${botId}::bigint and ${searched(q)}`.execute(db);
  return rows[0]?.n ?? 0;
}

export type Rates = { sent: number; connected: number; blocked: number };

export async function ratesSince(db: Db, botId: number, from: Date): Promise<Rates> {
  const since = sql`${from.toISOString()}::timestamptz`;
  const { rows } = await sql<Rates>`select
    (select count(*)::int from notification_deliveries where channel = 'telegram' and state = 'sent' and sent_at >= ${since}) as sent,
    (select count(*)::int from telegram_chats where bot_id = ${botId}::bigint and linked_at >= ${since}) as connected,
    (select count(*)::int from telegram_chats where bot_id = ${botId}::bigint and blocked_at >= ${since}) as blocked`.execute(
    db,
  );
  return rows[0] ?? { sent: 0, connected: 0, blocked: 0 };
}

export async function countBlocked(db: Db, botId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from telegram_chats
    where bot_id = ${botId}::bigint and blocked_at is not null`.execute(db);
  return rows[0]?.n ?? 0;
}
