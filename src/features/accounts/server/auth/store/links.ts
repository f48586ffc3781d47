import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { Purpose } from '../schema.ts';

export type NewLink = {
  tokenHash: Buffer;
  purpose: Purpose;
  userId: number | null;
  sessionId?: number | null;
  data?: string | null;
  at: Date;
  expiresAt: Date;
};

export async function insertLink(db: Db, link: NewLink): Promise<void> {
  await db
    .insertInto('one_time_tokens')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      user_id: link.userId,
      session_id: link.sessionId ?? null,
      data: link.data ?? null,
      created_at: link.at.toISOString(),
      expires_at: link.expiresAt.toISOString(),
    })
    .execute();
}

/** Only the newest link of a purpose works. */
export async function deleteLinks(db: Db, userId: number, purpose: Purpose): Promise<void> {
  await db.deleteFrom('one_time_tokens').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

/** Deletes links that give access to the account: confirmations and resets remain, as they give none on their own. */
export async function deleteSignInLinks(db: Db, userId: number): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', 'in', ['stream', 'two_factor', 'passkey_registration', 'passkey_login'])
    .execute();
}

export type UsedLink = { userId: number | null; sessionId: number | null; data: string | null };

/** Single use: of several concurrent callers, one gets it. Undefined when it is unknown, spent or expired. */
export async function consumeLink(
  db: Db,
  tokenHash: Buffer,
  purpose: Purpose,
  now: Date,
): Promise<UsedLink | undefined> {
  const row = await db
    .deleteFrom('one_time_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .where('used_at', 'is', null)
    .returning(['user_id', 'session_id', 'data'])
    .executeTakeFirst();
  return row && { userId: row.user_id, sessionId: row.session_id, data: row.data };
}

export async function findLink(db: Db, tokenHash: Buffer, purpose: Purpose) {
  const row = await db
    .selectFrom('one_time_tokens')
    .select(['user_id', 'data', 'expires_at', 'used_at'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return (
    row && {
      userId: row.user_id,
      data: row.data,
      expiresAt: new Date(row.expires_at),
      usedAt: row.used_at === null ? null : new Date(row.used_at),
    }
  );
}

/** Marks a link as used instead of deleting it, so that a second use within minutes differs from a forged link. */
export async function markUsed(db: Db, tokenHash: Buffer, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_tokens')
    .set({ used_at: at.toISOString() })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** After a confirmation, links of other sign-ups with the same address are invalid. */
export async function deleteOtherLinks(db: Db, userId: number, purpose: Purpose, tokenHash: Buffer): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('token_hash', '!=', tokenHash)
    .execute();
}
