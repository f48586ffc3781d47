import { type Selectable, sql } from 'kysely';

import type { DataMode } from '#shared/provenance.ts';

import type { Db } from './db.ts';
import type { InstallationKeys, Secrets } from './secrets.ts';

interface InstallationTable {
  only_row: import('kysely').Generated<boolean>;
  data_mode: DataMode;
  demo_seed: number | null;
  key_fingerprint: string | null;
  next_key_fingerprint: import('kysely').Generated<string | null>;
  lasting_key: import('kysely').Generated<string | null>;
  created_at: string;
}

declare module './db.ts' {
  interface Tables {
    installation: InstallationTable;
  }
}

export class WrongDataModeError extends Error {}
export class WrongSecretKeyError extends Error {}

type Claim = { mode: DataMode; seed: number; secrets: Pick<Secrets, 'held' | 'useKeysOf'> };

/**
 * A database is bound to its data mode permanently, and to its secret key until that is rotated; any other is refused.
 * Returns the seed of its demo market.
 */
export async function claimInstallation(db: Db, { mode, seed, secrets }: Claim, now: Date): Promise<number> {
  const [key = ''] = secrets.held();
  await db
    .insertInto('installation')
    .values({
      data_mode: mode,
      demo_seed: mode === 'demo' ? seed : null,
      key_fingerprint: key,
      created_at: now.toISOString(),
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
  // Created before keys existed, or reset by the operator to accept a new key.
  await db
    .updateTable('installation')
    .set({ key_fingerprint: key, next_key_fingerprint: null, lasting_key: null })
    .where('key_fingerprint', 'is', null)
    .where('data_mode', '=', mode)
    .execute();
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  assertMatch(row, mode, secrets.held());
  secrets.useKeysOf(row);
  return row.demo_seed ?? seed;
}

/**
 * Throws what `claimInstallation` would throw, before a migration changes anything. The schema may be of any earlier
 * version, or missing.
 */
export async function assertInstallation(db: Db, { mode, secrets }: Omit<Claim, 'seed'>): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('installation') is not null as there`.execute(db);
  if (!rows[0]?.there) return;
  const row = await db.selectFrom('installation').selectAll().executeTakeFirst();
  if (row) assertMatch(row, mode, secrets.held());
}

type InstallationRow = Pick<Selectable<InstallationTable>, 'data_mode'> &
  Partial<Pick<InstallationKeys, 'key_fingerprint' | 'next_key_fingerprint'>>;

function assertMatch(row: InstallationRow, mode: DataMode, held: string[]): void {
  if (row.data_mode !== mode) {
    throw new WrongDataModeError(
      `This database contains ${row.data_mode} data, not ${mode} data. Set DATA_MODE=${row.data_mode} or use another database.`,
    );
  }
  const { key_fingerprint: key = null, next_key_fingerprint: next = null } = row;
  const isHeld = (fingerprint: string | null) => fingerprint === null || held.includes(fingerprint);
  if (isHeld(key) && isHeld(next)) return;
  if (isHeld(key) || (next !== null && isHeld(next))) {
    throw new WrongSecretKeyError(
      `The secret key of this database is being changed from ${key} to ${next}: start with the new key as SECRET_KEY and the previous one as SECRET_KEY_PREVIOUS until secrets:rotate has finished.`,
    );
  }
  throw new WrongSecretKeyError(
    `This database was created with another secret key (${key}, not ${held.join(' or ')}). Start with the original SECRET_KEY or DATA_DIR/secret.key.`,
  );
}

export async function readInstallationKeys(db: Db): Promise<InstallationKeys> {
  return db
    .selectFrom('installation')
    .select(['key_fingerprint', 'next_key_fingerprint', 'lasting_key'])
    .executeTakeFirstOrThrow();
}
