import type { Generated, Selectable } from 'kysely';

import type { Passkey } from '#features/accounts/contract/passkeys.ts';
import type { Db, Tables } from '#kernel/db.ts';

type PasskeysTable = {
  id: Generated<number>;
  user_id: number;
  credential_id: string;
  /** COSE. */
  public_key: Buffer;
  /** The authenticator's signature counter; most synced passkeys report 0. */
  counter: number;
  transports: string[];
  name: string;
  created_at: string;
  last_used_at: string | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    passkeys: PasskeysTable;
  }
}

export type PasskeyRow = Selectable<Tables['passkeys']>;

const shown = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: created_at,
  lastUsedAt: last_used_at,
});

export async function listPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  const rows = await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
  return rows.map(shown);
}

export type Descriptor = { id: string; transports: string[] };

/** Descriptors of the passkeys, for browsers. */
export async function listDescriptors(db: Db, userId: number): Promise<Descriptor[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map(({ credential_id, transports }) => ({ id: credential_id, transports }));
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Counts the passkeys of an account, with a lock until the end of the transaction. */
export async function countPasskeysForUpdate(tx: Db, userId: number): Promise<number> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export type NewPasskey = {
  userId: number;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  at: Date;
};

/** Undefined when the credential is already registered, by any account. */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<Passkey | undefined> {
  const row = await db
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      created_at: passkey.at.toISOString(),
      last_used_at: null,
    })
    .onConflict((oc) => oc.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && shown(row);
}

/**
 * Records a use. False when the counter did not advance, checked in the same statement; a counter that stays at 0 is
 * ignored.
 */
export async function recordUse(db: Db, id: number, counter: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: at.toISOString() })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns its name; undefined when the account has no such passkey. */
export async function deletePasskey(db: Db, userId: number, id: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}
