import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

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

/** People whose chat is connected to this bot, the newest first. */
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
