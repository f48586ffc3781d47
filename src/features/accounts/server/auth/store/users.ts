import type { Selectable } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';

export type UserRow = Selectable<Tables['users']>;

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', normalizeEmail(email)).executeTakeFirst();
}

export async function lockUserByEmail(tx: Db, email: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('email', '=', normalizeEmail(email)).forUpdate().executeTakeFirst();
}

export async function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function getUser(db: Db, id: number): Promise<UserRow> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export type NewUser = {
  email: string;
  passwordHash: string;
  passwordWeak: boolean;
  verifiedAt: Date | null;
  role?: 'user' | 'admin';
  at: Date;
};

/** Undefined when the address is taken: of two concurrent sign-ups, one wins. */
export async function insertUser(db: Db, user: NewUser): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values({
      email: normalizeEmail(user.email),
      password_hash: user.passwordHash,
      password_weak: user.passwordWeak,
      email_verified_at: user.verifiedAt?.toISOString() ?? null,
      created_at: user.at.toISOString(),
      ...(user.role ? { role: user.role } : {}),
    })
    .onConflict((oc) => oc.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** `weak` is null when only the hash is known: the next sign-in evaluates it. */
export async function setPasswordHash(db: Db, id: number, passwordHash: string, weak: boolean | null): Promise<void> {
  const set = { password_hash: passwordHash, password_weak: weak };
  await db.updateTable('users').set(set).where('id', '=', id).execute();
}

/** Unless the password was changed in the meantime. */
export async function setPasswordWeak(db: Db, { id, password_hash }: UserRow, weak: boolean): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_weak: weak })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute();
}

/** Preserves the first time of verification. */
export async function markVerified(db: Db, id: number, at: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified_at: at.toISOString() })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .execute();
}

export async function setRole(db: Db, id: number, role: 'user' | 'admin'): Promise<void> {
  await db.updateTable('users').set({ role }).where('id', '=', id).execute();
}

export async function setPendingEmail(db: Db, id: number, email: string): Promise<void> {
  await db.updateTable('users').set({ pending_email: email }).where('id', '=', id).execute();
}

/** False when no address was pending. */
export async function clearPendingEmail(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ pending_email: null })
    .where('id', '=', id)
    .where('pending_email', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False when another account has taken the address in the meantime. */
export async function setEmail(db: Db, id: number, email: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ email: normalizeEmail(email), pending_email: null, email_verified_at: at.toISOString() })
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('users as other').select('other.id').where('other.email', '=', normalizeEmail(email))),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function setNotifications(
  db: Db,
  id: number,
  { email, push, telegram }: { email: boolean; push: boolean; telegram: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ notify_email: email, notify_push: push, notify_telegram: telegram })
    .where('id', '=', id)
    .execute();
}

/** Locked to the end of the transaction: deletion, disabling and sign-ins wait. Undefined when it does not exist. */
export async function lockUser(tx: Db, id: number): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Shared lock for sign-ins: the account is neither deleted nor disabled until the end of the transaction. */
export async function lockUserShared(tx: Db, id: number): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Null enables it again. */
export async function setDisabled(
  tx: Db,
  id: number,
  disabled: { at: Date; by: number; reason: string } | null,
): Promise<void> {
  const { at = null, by = null, reason = null } = disabled ?? {};
  await tx
    .updateTable('users')
    .set({ disabled_at: at?.toISOString() ?? null, disabled_by: by, disabled_reason: reason })
    .where('id', '=', id)
    .execute();
}

/** Deletes the account with everything that belongs to it. */
export async function deleteUser(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Locks the rows: of the last two admins deleting themselves at once, one remains. */
export async function countAdmins(db: Db): Promise<number> {
  const rows = await db.selectFrom('users').select('id').where('role', '=', 'admin').forUpdate().execute();
  return rows.length;
}
