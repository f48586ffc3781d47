import { type Generated, sql } from 'kysely';

import type { ContactMessage, MessageStatus } from '#features/contact/contract.ts';
import type { Db } from '#kernel/db.ts';

type ContactMessagesTable = {
  id: Generated<number>;
  user_id: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  screenshot: Buffer | null;
  screenshot_type: string | null;
  status: MessageStatus;
  created_at: string;
  settled_at: string | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    contact_messages: ContactMessagesTable;
  }
}

export type Screenshot = { type: string; bytes: Buffer };

export type NewMessage = {
  userId: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  screenshot: Screenshot | null;
  status: MessageStatus;
};

export async function addMessage(db: Db, message: NewMessage, at: Date): Promise<number> {
  const { userId, screenshot, ...words } = message;
  const { id } = await db
    .insertInto('contact_messages')
    .values({
      ...words,
      user_id: userId,
      screenshot: screenshot?.bytes ?? null,
      screenshot_type: screenshot?.type ?? null,
      created_at: at.toISOString(),
      settled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const listed = (db: Db) =>
  db
    .selectFrom('contact_messages')
    .select(['id', 'name', 'email', 'subject', 'status', 'created_at as createdAt'])
    .select(sql<boolean>`screenshot is not null`.as('hasScreenshot'));

export function newestMessages(
  db: Db,
  { status, before, count }: { status?: MessageStatus | undefined; before?: number | undefined; count: number },
): Promise<ContactMessage[]> {
  let query = listed(db).orderBy('id', 'desc').limit(count);
  if (status !== undefined) query = query.where('status', '=', status);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}

export async function countMessages(db: Db): Promise<Record<MessageStatus, number>> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute();
  const counts = { new: 0, open: 0, settled: 0, spam: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

type WholeMessage = ContactMessage & { message: string; account: string | null; settledAt: string | null };

export function findMessage(db: Db, id: number): Promise<WholeMessage | undefined> {
  return listed(db)
    .select(['message', 'settled_at as settledAt'])
    .select((eb) => eb.selectFrom('users').select('email').whereRef('users.id', '=', 'user_id').as('account'))
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findScreenshot(db: Db, id: number): Promise<Screenshot | undefined> {
  const row = await db
    .selectFrom('contact_messages')
    .select(['screenshot', 'screenshot_type'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.screenshot && row.screenshot_type ? { type: row.screenshot_type, bytes: row.screenshot } : undefined;
}

/** The subject of the message; undefined for an unknown id. */
export async function changeStatus(db: Db, id: number, status: MessageStatus, at: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('contact_messages')
    .set({ status, settled_at: status === 'settled' || status === 'spam' ? at.toISOString() : null })
    .where('id', '=', id)
    .returning('subject')
    .executeTakeFirst();
  return row?.subject;
}

/** Deletes messages settled before the first moment, and everything older than the second. */
export async function deleteOldMessages(db: Db, settledBefore: Date, before: Date): Promise<void> {
  await db
    .deleteFrom('contact_messages')
    .where((eb) =>
      eb.or([eb('settled_at', '<', settledBefore.toISOString()), eb('created_at', '<', before.toISOString())]),
    )
    .execute();
}
