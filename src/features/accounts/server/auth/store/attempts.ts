import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** Keys hold addresses, so only their hash is stored. */
const keyOf = (text: string) => createHash('sha256').update(text).digest();

/** Counts one try within its window; exact across processes by one statement. */
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
    .values({ key: keyOf(key), hits: 1, resets_at: resets })
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

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', keyOf(key)).execute();
}
