import { createHash } from 'node:crypto';
import { sql } from 'kysely';

import type { RemainingAccess } from '#features/accounts/contract/auth.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** Access to the account without a session. The tables belong to features built on this one. */
export async function readRemainingAccess(db: Db, userId: number): Promise<RemainingAccess[]> {
  const { rows } = await sql<RemainingAccess>`
    select kind, name from (
      select 1 as place, id, 'api_key' as kind, name || ' (' || hint || ')' as name from api_keys
      where user_id = ${userId} and ended_at is null
      union all
      select 2, id, 'webhook', name || ' (' || host || ')' from webhooks where user_id = ${userId}
      union all
      select 3, 0, 'telegram', 'Connected chat' from telegram_chats where user_id = ${userId}
      union all
      select 4, id, 'passkey', name from passkeys where user_id = ${userId}
    ) as access order by place, id`.execute(db);
  return rows;
}

/** Pending codes for connecting a chat. */
export async function deleteChatCodes(tx: Db, userId: number): Promise<void> {
  await sql`delete from telegram_codes where user_id = ${userId}`.execute(tx);
}

export async function revokeAccess(tx: Db, userId: number, at: Date): Promise<void> {
  await sql`update api_keys set ended_at = ${at.toISOString()}, old_hash = null, old_until = null
    where user_id = ${userId} and ended_at is null`.execute(tx);
  await sql`delete from webhooks where user_id = ${userId}`.execute(tx);
  await sql`delete from telegram_chats where user_id = ${userId}`.execute(tx);
  await sql`delete from passkeys where user_id = ${userId}`.execute(tx);
  await deleteChatCodes(tx, userId);
}

/** Keys contain addresses, so only their hash is stored. */
const hashKey = (text: string) => createHash('sha256').update(text).digest();

/** Counts one attempt within its window; a single statement keeps it exact across processes. */
export async function countAttempt(
  db: Db,
  key: string,
  windowSeconds: number,
  now: Date,
): Promise<{ hits: number; resetsAt: Date }> {
  const at = now.toISOString();
  const resets = new Date(now.getTime() + windowSeconds * 1000).toISOString();
  const row = await db
    .insertInto('attempts')
    .values({ key: hashKey(key), hits: 1, resets_at: resets })
    .onConflict((oc) =>
      oc.column('key').doUpdateSet({
        hits: sql<number>`case when attempts.resets_at <= ${at}::timestamptz then 1 else attempts.hits + 1 end`,
        resets_at: sql<string>`case when attempts.resets_at <= ${at}::timestamptz then excluded.resets_at else attempts.resets_at end`,
      }),
    )
    .returning(['hits', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { hits: row.hits, resetsAt: new Date(row.resets_at) };
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', hashKey(key)).execute();
}

/**
 * True when a password alone is not enough to sign in. The table belongs to the feature two-factor, which builds on
 * this one.
 */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from two_factor where user_id = ${userId} and enabled_at is not null`.execute(db);
  return rows.length > 0;
}

/** A new password resets the count of wrong codes. */
export async function deleteCodeAttempts(tx: Db, userId: number): Promise<void> {
  await sql`update two_factor set wrong_codes = 0, wait_until = null where user_id = ${userId}`.execute(tx);
}
