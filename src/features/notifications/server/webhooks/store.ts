import { type Generated, type Insertable, type Selectable, sql, type Updateable } from 'kysely';

import type { Attempt, AttemptState, Format } from '#features/notifications/contract/webhooks.ts';
import type { Db, Tables } from '#kernel/db.ts';

type WebhooksTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Encrypted, as are the secrets. */
  url: string;
  host: string;
  format: Format;
  secret: string;
  old_secret: string | null;
  old_secret_until: string | null;
  enabled: boolean;
  created_at: string;
  last_at: string | null;
  last_state: AttemptState | null;
  last_note: string | null;
  /** Consecutive failures, and since when. */
  failures: Generated<number>;
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: string | null;
};

type WebhookAttemptsTable = {
  id: Generated<number>;
  webhook_id: number;
  /** Null for a test. */
  delivery_id: number | null;
  kind: string;
  at: string;
  state: AttemptState;
  status: number | null;
  ms: number;
  note: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_attempts: WebhookAttemptsTable;
  }
}

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

/** Final outcomes for these deliveries: webhooks that received them, and those that will not. */
export async function findSettled(db: Db, deliveryIds: readonly number[]): Promise<Settled[]> {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(['delivery_id', 'webhook_id', 'state', 'at'])
    .where('delivery_id', '=', sql<number>`any(${[...deliveryIds]}::bigint[])`)
    .where('state', '!=', 'later')
    .orderBy('id')
    .execute();
  return rows as Settled[];
}

/**
 * Deletes attempts older than `days`, and per webhook those that are neither among its newest `most` nor younger than a
 * day.
 */
export async function deleteOldAttempts(db: Db, now: Date, days: number, most: number): Promise<void> {
  const before = (count: number) => new Date(now.getTime() - count * 86_400_000).toISOString();
  await db.deleteFrom('webhook_attempts').where('at', '<', before(days)).execute();
  await sql`delete from webhook_attempts where id in (
    select id from (
      select id, at, row_number() over (partition by webhook_id order by id desc) as place from webhook_attempts
    ) ranked where place > ${most} and at < ${before(1)}::timestamptz
  )`.execute(db);
}

export type WebhookRow = Selectable<Tables['webhooks']>;

export async function listRows(db: Db, userId: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

export async function findRow(db: Db, userId: number, id: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

/** Counts the webhooks of an account. Concurrent callers that want to add one wait for the end of this transaction. */
export async function countForUpdate(tx: Db, userId: number): Promise<number> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

type NewWebhook = {
  userId: number;
  name: string;
  url: string;
  host: string;
  format: Format;
  secret: string;
  at: Date;
};

export async function insertRow(db: Db, { userId, at, ...rest }: NewWebhook): Promise<WebhookRow> {
  return db
    .insertInto('webhooks')
    .values({ ...rest, user_id: userId, enabled: true, created_at: at.toISOString() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Change = Updateable<Tables['webhooks']>;

/** Undefined when the account has no such webhook. */
export async function updateRow(db: Db, userId: number, id: number, change: Change): Promise<WebhookRow | undefined> {
  return db
    .updateTable('webhooks')
    .set(change)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** False when the account has no such webhook. */
export async function deleteRow(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Users webhooks can reach. */
export const reachable = () => sql<{ user_id: number }>`select user_id from webhooks where enabled`;

export async function findEnabled(db: Db, userIds: readonly number[]): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('user_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}

type AttemptOutcome = { at: Date; state: AttemptState; note: string };

/**
 * Records the outcome of a call, unless the URL has changed since. `hasFailed` counts it and returns how long it has
 * been failing; a success resets the count.
 */
export async function recordOutcome(
  tx: Db,
  { id, url }: Pick<WebhookRow, 'id' | 'url'>,
  { at, state, note }: AttemptOutcome,
  hasFailed: boolean,
): Promise<Pick<WebhookRow, 'failures' | 'failing_since'> | undefined> {
  const moment = at.toISOString();
  return tx
    .updateTable('webhooks')
    .set({
      last_at: moment,
      last_state: state,
      last_note: note,
      failures: hasFailed ? sql<number>`failures + 1` : 0,
      failing_since: hasFailed ? sql<string>`coalesce(failing_since, ${moment}::timestamptz)` : null,
    })
    .where('id', '=', id)
    .where('url', '=', url)
    .returning(['failures', 'failing_since'])
    .executeTakeFirst();
}

/** False when it was already disabled. */
export async function disableWebhook(tx: Db, id: number, at: Date, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ enabled: false, disabled_at: at.toISOString(), disabled_reason: reason })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
