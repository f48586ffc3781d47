import { type Insertable, sql } from 'kysely';
import type { Attempt } from '#features/notifications/contract/webhooks.ts';
import type { Db, Tables } from '#kernel/db.ts';
import '../schema.ts';

export async function insertAttempt(db: Db, attempt: Insertable<Tables['webhook_attempts']>): Promise<void> {
  await db.insertInto('webhook_attempts').values(attempt).execute();
}

export async function newestAttempts(db: Db, webhookId: number, most: number): Promise<Attempt[]> {
  return db
    .selectFrom('webhook_attempts')
    .select(['id', 'at', 'kind', 'state', 'status', 'ms', 'note', 'delivery_id as deliveryId'])
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

export type Settled = { delivery_id: number; webhook_id: number; state: 'sent' | 'failed' | 'dropped'; at: string };

/** What is over for good, of some deliveries: who has it, and who will not get it. */
export async function settledOf(db: Db, deliveryIds: readonly number[]): Promise<Settled[]> {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(['delivery_id', 'webhook_id', 'state', 'at'])
    .where('delivery_id', '=', sql<number>`any(${[...deliveryIds]}::bigint[])`)
    .where('state', '!=', 'later')
    .orderBy('id')
    .execute();
  return rows as Settled[];
}

/** Deletes what is older than `days`, and of each webhook what is neither of its newest `most` nor younger than a day. */
export async function forgetAttempts(db: Db, now: Date, days: number, most: number): Promise<void> {
  const before = (count: number) => new Date(now.getTime() - count * 86_400_000).toISOString();
  await db.deleteFrom('webhook_attempts').where('at', '<', before(days)).execute();
  await sql`delete from webhook_attempts where id in (
    select id from (
      select id, at, row_number() over (partition by webhook_id order by id desc) as place from webhook_attempts
    ) ranked where place > ${most} and at < ${before(1)}::timestamptz
  )`.execute(db);
}
