import { type Selectable, sql } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';
import type { ApiScope } from '#shared/contract.ts';

import '../schema.ts';

export type KeyRow = Selectable<Tables['api_keys']>;

export type FoundKey = {
  /** The requested SHA-256, in hex. */
  hash: string;
  id: number;
  userId: number;
  role: 'user' | 'admin';
  scopes: ApiScope[];
  /** When this version of the key ends, if it is the one from before a regeneration. */
  until: string | null;
};

/** Active keys by their current or previous hashes. Unknown and ended keys are missing. */
export async function findKeys(db: Db, hashes: readonly Buffer[], now: Date): Promise<FoundKey[]> {
  const { rows } = await sql<FoundKey>`
    select encode(asked.hash, 'hex') as hash, k.id, k.user_id as "userId", u.role, k.scopes,
      case when k.hash = asked.hash then null else k.old_until end as until
    from unnest(${[...hashes]}::bytea[]) as asked (hash)
    join api_keys k on k.hash = asked.hash or (k.old_hash = asked.hash and k.old_until > ${now.toISOString()}::timestamptz)
    join users u on u.id = k.user_id
    where k.ended_at is null and u.disabled_at is null`.execute(db);
  return rows;
}

/** Active keys of an account, newest first. */
export async function activeKeys(db: Db, userId: number): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

/** Counts the active keys of an account, with a lock until the end of the transaction. */
export async function countToAdd(tx: Db, userId: number): Promise<number> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

type NewKey = { userId: number; name: string; hash: Buffer; hint: string; scopes: ApiScope[]; at: Date };

export async function insertKey(tx: Db, { userId, at, ...rest }: NewKey): Promise<KeyRow> {
  return tx
    .insertInto('api_keys')
    .values({ ...rest, user_id: userId, created_at: at.toISOString(), old_hash: null, old_until: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const activeKey = (tx: Db, userId: number, id: number) =>
  tx.updateTable('api_keys').where('id', '=', id).where('user_id', '=', userId).where('ended_at', 'is', null);

type Renewal = { userId: number; id: number; hash: Buffer; hint: string; oldUntil: Date | null };

/**
 * The previous key ends at `oldUntil`, or at once without one; any older one ends. Undefined when the account has no
 * such active key.
 */
export async function renewKey(tx: Db, { userId, id, hash, hint, oldUntil }: Renewal): Promise<KeyRow | undefined> {
  const old_hash = oldUntil ? sql<Buffer>`hash` : null;
  return activeKey(tx, userId, id)
    .set({ hash, hint, old_hash, old_until: oldUntil?.toISOString() ?? null })
    .returningAll()
    .executeTakeFirst();
}

/** False when the account has no such active key. */
export async function endKey(tx: Db, userId: number, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await activeKey(tx, userId, id)
    .set({ ended_at: at.toISOString(), old_hash: null, old_until: null })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
