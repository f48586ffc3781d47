import type { DataMode } from '#shared/provenance.ts';

import type { Db } from './db.ts';

interface InstallationTable {
  only_row: import('kysely').Generated<boolean>;
  data_mode: DataMode;
  demo_seed: number | null;
  created_at: string;
}

declare module './db.ts' {
  interface Tables {
    installation: InstallationTable;
  }
}

export class WrongDataMode extends Error {}

/** Each database holds its data mode for life and refuses the other. Returns the seed its demo market was made with. */
export async function claimInstallation(db: Db, mode: DataMode, seed: number, now: Date): Promise<number> {
  await db
    .insertInto('installation')
    .values({ data_mode: mode, demo_seed: mode === 'demo' ? seed : null, created_at: now.toISOString() })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  if (row.data_mode !== mode) {
    throw new WrongDataMode(
      `This database holds ${row.data_mode} data and refuses ${mode} data: start with DATA_MODE=${row.data_mode} or another database.`,
    );
  }
  return row.demo_seed ?? seed;
}
