import type { DataMode } from '#shared/provenance.ts';

import type { Db } from './db.ts';

interface InstallationTable {
  only_row: import('kysely').Generated<boolean>;
  data_mode: DataMode;
  demo_seed: number | null;
  key_fingerprint: string | null;
  created_at: string;
}

declare module './db.ts' {
  interface Tables {
    installation: InstallationTable;
  }
}

export class WrongDataMode extends Error {}
export class WrongSecretKey extends Error {}

/** `key` is the fingerprint of the secret key. */
type Claim = { mode: DataMode; seed: number; key: string };

/** Each database holds its data mode and its secret key for life and refuses others. Returns the seed its demo market was made with. */
export async function claimInstallation(db: Db, { mode, seed, key }: Claim, now: Date): Promise<number> {
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
  // Made before there were keys, or told by its operator to take a new one.
  await db
    .updateTable('installation')
    .set({ key_fingerprint: key })
    .where('key_fingerprint', 'is', null)
    .where('data_mode', '=', mode)
    .execute();
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  if (row.data_mode !== mode) {
    throw new WrongDataMode(
      `This database holds ${row.data_mode} data and refuses ${mode} data: start with DATA_MODE=${row.data_mode} or another database.`,
    );
  }
  if (row.key_fingerprint !== key) {
    throw new WrongSecretKey(
      `This database was made with another secret key (${row.key_fingerprint}, not ${key}): start with the SECRET_KEY or the DATA_DIR/secret.key it was made with.`,
    );
  }
  return row.demo_seed ?? seed;
}
