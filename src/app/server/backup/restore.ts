import { verifyLedger } from '#features/analysis/server/predictions/service/verify.ts';
import { type Connection, openDatabase } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { migrations } from '../migrations.ts';
import type { Manifest } from './backup-format.ts';
import { sendPart } from './backup-format.ts';
import { withClient } from './catalogue.ts';
import { copyTables, type Filled, removeMarker, selectMigrations } from './copy-tables.ts';
import {
  assertNoConnections,
  assertNotInUse,
  createDatabase,
  databaseName,
  dropContents,
  dropDatabase,
  findLeftoverDatabases,
  readTargetState,
  siblingName,
  swapDatabases,
} from './databases.ts';
import type { Source } from './source.ts';

export type RestoreOrder = {
  folder: string;
  manifest: Manifest;
  target: Connection;
  /** A database in use or with data is replaced atomically, after everything is verified. */
  replace: boolean;
  /** The next start uses a new secret key. */
  newKey: boolean;
  now: Date;
  known?: Migrations;
};

export type Restored = Filled & {
  /** Entries of the prediction ledger, whose chain was verified from end to end. */
  ledger: number;
  /** Names of migrations newer than the backup. */
  migrated: string[];
  /** The new name of the database that was replaced. */
  aside: string | null;
};

const RESTORED = 'restored';
const BEFORE = 'before';

const openSource = (folder: string, manifest: Manifest): Source => ({
  ...manifest,
  send: (table, into) => sendPart(folder, table, into),
});

/** Copies the data, migrates the schema and verifies the ledger; the database stays marked as unfinished. */
async function copyAndVerify(
  target: Connection,
  source: Source,
  { known = migrations, newKey }: Pick<RestoreOrder, 'known' | 'newKey'>,
): Promise<Omit<Restored, 'aside'>> {
  const filled = await copyTables(target, source, known);
  const migrated = Object.keys(known).filter((name) => !source.migrations.includes(name));
  await migrateWith(target, known);
  if (newKey) await withClient(target, (client) => client.query('update installation set key_fingerprint = null'));
  return { ...filled, migrated, ledger: await assertLedgerValid(target) };
}

export async function assertLedgerValid(target: Connection): Promise<number> {
  const { db, close } = openDatabase(target, () => undefined, 1);
  try {
    const { entries, faults } = (await verifyLedger(db)).found;
    if (faults.length > 0) throw new AppStartError(`The prediction ledger is damaged: ${faults.join('; ')}.`);
    return entries;
  } finally {
    await close();
  }
}

/** Restores into a database that is then dropped: verifies everything and changes nothing. */
export function restoreTrial(order: RestoreOrder): Promise<Restored> {
  const { target, folder, manifest, now } = order;
  return assertNoConnections(target, async () => {
    const name = siblingName(databaseName(target), 'rehearsed', now);
    await dropLeftovers(target, 'rehearsed');
    const trial = await createDatabase(target, name);
    try {
      return { ...(await copyAndVerify(trial, openSource(folder, manifest), order)), aside: null };
    } finally {
      await dropDatabase(target, name);
    }
  });
}

/** Directly into an absent or empty database; over another one only by a swap at the very end. */
export function restore(order: RestoreOrder): Promise<Restored> {
  const { target, folder, manifest, now, replace, known } = order;
  selectMigrations(manifest.migrations, known);
  const source = openSource(folder, manifest);
  return assertNoConnections(target, async () => {
    const name = databaseName(target);
    const state = await readTargetState(target);
    if (state !== 'absent') await assertNotInUse(target, 'restore');
    await dropLeftovers(target, RESTORED);
    if (state === 'filled' && !replace)
      throw new AppStartError(
        `The database ${name} contains data. Add --replace to replace it with the backup, or use another database.`,
      );
    if (state === 'filled') return restoreSibling(order, source, name, now);
    if (state === 'absent') await createDatabase(target, name);
    if (state === 'unfinished') await dropContents(target);
    const restored = await copyAndVerify(target, source, order);
    await removeMarker(target);
    return { ...restored, aside: null };
  });
}

async function restoreSibling(order: RestoreOrder, source: Source, name: string, now: Date): Promise<Restored> {
  const { target } = order;
  const fresh = siblingName(name, RESTORED, now);
  const backupName = siblingName(name, BEFORE, now);
  const place = await createDatabase(target, fresh);
  try {
    const restored = await copyAndVerify(place, source, order);
    await removeMarker(place);
    await swapDatabases(target, name, fresh, backupName);
    return { ...restored, aside: backupName };
  } catch (error) {
    await dropDatabase(target, fresh).catch(() => undefined);
    throw error;
  }
}

async function dropLeftovers(target: Connection, what: string): Promise<void> {
  for (const name of await findLeftoverDatabases(target, databaseName(target), what)) await dropDatabase(target, name);
}

/** Removes the databases that restores have renamed. Returns their names. */
export async function dropReplaced(target: Connection): Promise<string[]> {
  const names = await findLeftoverDatabases(target, databaseName(target), BEFORE);
  for (const name of names) await dropDatabase(target, name);
  return names;
}
