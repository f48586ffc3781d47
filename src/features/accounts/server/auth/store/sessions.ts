import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';

export type NewSession = {
  tokenHash: Buffer;
  userId: number;
  device: string;
  network: string;
  at: Date;
  expiresAt: Date;
};

export async function insertSession(db: Db, session: NewSession): Promise<number> {
  const at = session.at.toISOString();
  const { id } = await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      device: session.device,
      network: session.network,
      created_at: at,
      seen_at: at,
      proved_at: at,
      expires_at: session.expiresAt.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type KnownSession = {
  id: number;
  userId: number;
  role: 'user' | 'admin';
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

export async function findSession(db: Db, tokenHash: Buffer, now: Date): Promise<KnownSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'users.role'])
    .select(['sessions.created_at', 'sessions.seen_at', 'sessions.expires_at'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      role: row.role,
      createdAt: new Date(row.created_at),
      seenAt: new Date(row.seen_at),
      expiresAt: new Date(row.expires_at),
    }
  );
}

/** Of several concurrent callers, one succeeds. False when the session has ended or its token was already replaced. */
export async function replaceToken(
  db: Db,
  old: Buffer,
  { tokenHash, at, expiresAt }: { tokenHash: Buffer; at: Date; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_hash: tokenHash, expires_at: expiresAt.toISOString() })
    .where('token_hash', '=', old)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateLastSeen(db: Db, id: number, at: Date, expiresAt: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: at.toISOString(), expires_at: expiresAt.toISOString() })
    .where('id', '=', id)
    .execute();
}

export async function readProvedAt(db: Db, id: number): Promise<Date | undefined> {
  const row = await db.selectFrom('sessions').select('proved_at').where('id', '=', id).executeTakeFirst();
  return row && new Date(row.proved_at);
}

export async function findSignInTime(db: Db, id: number): Promise<Date | undefined> {
  const row = await db.selectFrom('sessions').select('created_at').where('id', '=', id).executeTakeFirst();
  return row && new Date(row.created_at);
}

/** Invalidates the proofs of other sessions. */
export async function expireProofs(tx: Db, userId: number, but: number | null): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ proved_at: new Date(0).toISOString() })
    .where('user_id', '=', userId)
    .where('id', '!=', but ?? 0)
    .execute();
}

/** False when the session has ended. */
export async function markProved(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ proved_at: at.toISOString() })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function listSessionRows(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'network', 'created_at', 'seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Ends one, all, or all but one of the account's sessions. Returns the ids that ended. */
export async function deleteSessions(
  db: Db,
  userId: number,
  which: { only: number } | { but: number } | 'all',
): Promise<number[]> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (which !== 'all')
    query = 'only' in which ? query.where('id', '=', which.only) : query.where('id', '!=', which.but);
  const rows = await query.returning('id').execute();
  return rows.map(({ id }) => id);
}

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  await db.deleteFrom('sessions').where('expires_at', '<=', at).execute();
  await db
    .deleteFrom('one_time_tokens')
    .where('expires_at', '<=', sql<string>`${at}::timestamptz - interval '1 day'`)
    .execute();
  await db.deleteFrom('attempts').where('resets_at', '<=', at).execute();
}

/** Records a device of the account. `isNew` is false for the very first one: signing up is expected. */
export async function rememberDevice(
  db: Db,
  userId: number,
  { device, network }: { device: string; network: string },
  at: Date,
): Promise<{ isNew: boolean }> {
  const seen = await db
    .selectFrom('known_devices')
    .select(['device', 'network'])
    .where('user_id', '=', userId)
    .execute();
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, device, network, seen_at: at.toISOString() })
    .onConflict((oc) => oc.columns(['user_id', 'device', 'network']).doUpdateSet({ seen_at: at.toISOString() }))
    .execute();
  const isKnown = seen.some((one) => one.device === device && one.network === network);
  return { isNew: seen.length > 0 && !isKnown };
}

export async function isKnownNetwork(db: Db, email: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('known_devices.network', '=', network)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
