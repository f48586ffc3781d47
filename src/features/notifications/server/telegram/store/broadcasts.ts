import { type RawBuilder, sql } from 'kysely';

import type { Audience } from '#features/notifications/contract/telegram.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type StoredBroadcast = {
  id: number;
  key: string;
  text: string;
  audience: Audience;
  people: number;
  createdAt: string;
  authorId: number | null;
  createdBy: string | null;
  cancelledAt: string | null;
  finishedAt: string | null;
  sent: number;
  failed: number;
  skipped: number;
  cancelled: number;
};

/** Serialises the start of broadcasts; held to the end of the transaction. */
export async function lockBroadcasts(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('telegram broadcasts', 0))`.execute(tx);
}

const selected = (which: RawBuilder<unknown>) => sql<StoredBroadcast>`select b.id, b.key, b.text, b.audience, b.people,
    b.created_at as "createdAt", b.created_by as "authorId", u.email as "createdBy", b.cancelled_at as "cancelledAt",
    b.finished_at as "finishedAt", b.sent, b.failed, b.skipped, b.cancelled
  from telegram_broadcasts b left join users u on u.id = b.created_by ${which}`;

export async function findBroadcast(
  db: Db,
  by: { id: number } | { key: string },
): Promise<StoredBroadcast | undefined> {
  const { rows } = await selected(
    'id' in by ? sql`where b.id = ${by.id}::bigint` : sql`where b.key = ${by.key}::uuid`,
  ).execute(db);
  return rows[0];
}

/** Newest first. */
export async function newestBroadcasts(db: Db, before: number | undefined, count: number): Promise<StoredBroadcast[]> {
  const { rows } = await selected(sql`where b.id < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
    order by b.id desc limit ${count}`).execute(db);
  return rows;
}

export async function openBroadcasts(db: Db): Promise<StoredBroadcast[]> {
  const { rows } = await selected(sql`where b.finished_at is null order by b.id`).execute(db);
  return rows;
}

type New = Pick<StoredBroadcast, 'key' | 'text' | 'audience' | 'people'> & { createdBy: number; at: Date };

export async function addBroadcast(tx: Db, { key, text, audience, people, createdBy, at }: New): Promise<number> {
  const { id } = await tx
    .insertInto('telegram_broadcasts')
    .values({
      key,
      text,
      audience,
      people,
      created_by: createdBy,
      created_at: at.toISOString(),
      cancelled_at: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Start times since a moment, oldest first. */
export async function broadcastsSince(db: Db, from: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('telegram_broadcasts')
    .select('created_at')
    .where('created_at', '>', from.toISOString())
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at }) => new Date(created_at));
}

/** False when it was already cancelled or complete. */
export async function markCancelled(tx: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('telegram_broadcasts')
    .set({ cancelled_at: at.toISOString() })
    .where('id', '=', id)
    .where('cancelled_at', 'is', null)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type Counts = Pick<StoredBroadcast, 'sent' | 'failed' | 'skipped' | 'cancelled'>;

/** The first caller records the end. */
export async function finishBroadcast(db: Db, id: number, counts: Counts, at: Date): Promise<void> {
  await db
    .updateTable('telegram_broadcasts')
    .set({ ...counts, finished_at: at.toISOString() })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}
