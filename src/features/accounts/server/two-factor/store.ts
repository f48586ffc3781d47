import { type Generated, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export type TwoFactorTable = {
  user_id: number;
  sealed_secret: string;
  /** Null until a code of the secret was entered. */
  enabled_at: string | null;
  /** The newest step whose code was accepted; it and earlier ones are spent. */
  last_step: number;
  /** Wrong authenticator codes since the last correct one. */
  wrong_codes: Generated<number>;
  wait_until: Generated<string | null>;
};

type BackupCodesTable = { user_id: number; code_hash: Buffer; used_at: string | null };

declare module '#kernel/db.ts' {
  interface Tables {
    two_factor: TwoFactorTable;
    backup_codes: BackupCodesTable;
  }
}

export type TwoFactor = { sealedSecret: string; isEnabled: boolean };

export async function findTwoFactor(db: Db, userId: number): Promise<TwoFactor | undefined> {
  const row = await db
    .selectFrom('two_factor')
    .select(['sealed_secret', 'enabled_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { sealedSecret: row.sealed_secret, isEnabled: row.enabled_at !== null };
}

/** As findTwoFactor, with a lock against re-encryption until the end of the transaction. */
export async function lockTwoFactor(tx: Db, userId: number): Promise<TwoFactor | undefined> {
  await tx.selectFrom('two_factor').select('user_id').where('user_id', '=', userId).forUpdate().execute();
  return findTwoFactor(tx, userId);
}

/** Replaces a secret that was never enabled. False when one is enabled. */
export async function prepareSecret(db: Db, userId: number, sealedSecret: string): Promise<boolean> {
  const row = await db
    .insertInto('two_factor')
    .values({ user_id: userId, sealed_secret: sealedSecret, enabled_at: null, last_step: 0 })
    .onConflict((oc) =>
      oc.column('user_id').doUpdateSet({ sealed_secret: sealedSecret }).where('two_factor.enabled_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the secret has since been replaced or enabled: of two concurrent calls, one wins. */
export async function enableSecret(
  db: Db,
  { userId, sealedSecret, step, at }: { userId: number; sealedSecret: string; step: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factor')
    .set({ enabled_at: at.toISOString(), last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealedSecret)
    .where('enabled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Spends a step and all before it. Compared and set in one statement: of two concurrent calls, one gets it. */
export async function consumeTimeStep(db: Db, userId: number, sealedSecret: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealedSecret)
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** From this many wrong codes on, authenticator codes are blocked. */
export const MOST_WRONG = 50;
/** Wrong codes before the first delay. */
const FREE = 5;

type Try = { allowed: true; wrong: number } | { allowed: false; waitUntil: Date | null };

/**
 * Counts an authenticator code as wrong until it proves correct. From the fifth on the next one is delayed, doubling
 * each time.
 */
export async function recordTry(db: Db, userId: number, at: Date): Promise<Try> {
  const now = at.toISOString();
  const { rows } = await sql<{ wrong_codes: number }>`
    update two_factor set wrong_codes = wrong_codes + 1, wait_until = case when wrong_codes + 1 < ${FREE} then null
      else ${now}::timestamptz
        + least(interval '5 minutes' * power(2, least(wrong_codes + 1 - ${FREE}, 20)), interval '1 day') end
    where user_id = ${userId} and wrong_codes < ${MOST_WRONG}
      and (wait_until is null or wait_until <= ${now}::timestamptz)
    returning wrong_codes`.execute(db);
  if (rows[0]) return { allowed: true, wrong: rows[0].wrong_codes };
  const row = await db
    .selectFrom('two_factor')
    .select(['wrong_codes', 'wait_until'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return { allowed: true, wrong: 1 };
  const waits = row.wrong_codes < MOST_WRONG && row.wait_until !== null;
  return { allowed: false, waitUntil: waits ? new Date(row.wait_until as string) : null };
}

export async function resetTries(tx: Db, userId: number): Promise<void> {
  await tx.updateTable('two_factor').set({ wrong_codes: 0, wait_until: null }).where('user_id', '=', userId).execute();
}

/** Serialises changes to the account. False when two-factor sign-in is off. */
export async function lockEnabled(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('two_factor')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteTwoFactor(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  await db.deleteFrom('two_factor').where('user_id', '=', userId).execute();
}

export async function replaceBackupCodes(db: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash, used_at: null }));
  await db.insertInto('backup_codes').values(rows).execute();
}

export async function consumeBackupCode(db: Db, userId: number, hash: Buffer, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backup_codes')
    .set({ used_at: at.toISOString() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countBackupCodes(db: Db, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('backup_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}
