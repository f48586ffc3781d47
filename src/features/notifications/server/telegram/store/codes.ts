import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** Replaces the user's previous code. */
export async function saveCode(
  db: Db,
  { userId, hash, sealed, expiresAt }: { userId: number; hash: Buffer; sealed: string; expiresAt: Date },
): Promise<void> {
  const code = { code_hash: hash, sealed_code: sealed, expires_at: expiresAt.toISOString() };
  await db
    .insertInto('telegram_codes')
    .values({ user_id: userId, ...code })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(code))
    .execute();
}

export async function findCode(
  db: Db,
  userId: number,
  now: Date,
): Promise<{ sealed: string; expiresAt: string } | undefined> {
  const row = await db
    .selectFrom('telegram_codes')
    .select(['sealed_code', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return row && { sealed: row.sealed_code, expiresAt: row.expires_at };
}

/** The code's owner. Read and deleted in one statement: of two concurrent callers, one gets it. */
export async function consumeCode(db: Db, hashes: readonly Buffer[], now: Date): Promise<number | undefined> {
  const row = await db
    .deleteFrom('telegram_codes')
    .where('code_hash', 'in', hashes)
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export async function deleteCode(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('telegram_codes').where('user_id', '=', userId).execute();
}

export type Attempt = { key: string; windowSeconds: number; now: Date; updateId: number | null };

/**
 * Counts one attempt within its window; a single statement keeps it exact across processes. The same update counts
 * once.
 */
export async function countAttempt(
  db: Db,
  { key, windowSeconds, now, updateId }: Attempt,
): Promise<{ hits: number; resetsAt: Date }> {
  const at = now.toISOString();
  const resets = new Date(now.getTime() + windowSeconds * 1000).toISOString();
  const row = await db
    .insertInto('telegram_attempts')
    .values({ key, hits: 1, resets_at: resets, last_update_id: updateId })
    .onConflict((oc) =>
      oc.column('key').doUpdateSet({
        hits: sql<number>`case when telegram_attempts.resets_at <= ${at}::timestamptz then 1
          when telegram_attempts.last_update_id = excluded.last_update_id then telegram_attempts.hits
          else telegram_attempts.hits + 1 end`,
        resets_at: sql<string>`case when telegram_attempts.resets_at <= ${at}::timestamptz then excluded.resets_at
          else telegram_attempts.resets_at end`,
        last_update_id: sql<number | null>`excluded.last_update_id`,
      }),
    )
    .returning(['hits', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { hits: row.hits, resetsAt: new Date(row.resets_at) };
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('telegram_attempts').where('key', '=', key).execute();
}

/** Deletes expired codes and attempts that no longer count. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await db.deleteFrom('telegram_codes').where('expires_at', '<=', at).execute();
  await db.deleteFrom('telegram_attempts').where('resets_at', '<=', at).execute();
}
