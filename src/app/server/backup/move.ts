import { pipeline } from 'node:stream/promises';
import type { Connection } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { migrations } from '../migrations.ts';
import { type Content, copyOutCommand, type TableShape } from './catalogue.ts';
import { CopyOut } from './copy.ts';
import { copyTables, type Filled, removeMarker, selectMigrations } from './copy-tables.ts';
import {
  assertNoConnections,
  assertNotInUse,
  createDatabase,
  databaseName,
  dropContents,
  readTargetState,
} from './databases.ts';
import { assertLedgerValid } from './restore.ts';
import { openSnapshot } from './source.ts';

export type MoveResult = Filled & { ledger: number };

/**
 * Copies everything into an empty database, verifies it, and leaves the source unchanged. Neither may be in use during
 * the move.
 */
export async function move(from: Connection, to: Connection, known: Migrations = migrations): Promise<MoveResult> {
  await assertNotInUse(from, 'move');
  const snapshot = await openSnapshot(from, databaseName(from));
  try {
    selectMigrations(snapshot.migrations, known);
    return await assertNoConnections(to, async () => {
      const state = await readTargetState(to);
      if (state === 'filled')
        throw new AppStartError(
          `The database ${databaseName(to)} already contains data. Use an empty database, or one that does not exist yet.`,
        );
      if (state !== 'absent') await assertNotInUse(to, 'move');
      if (state === 'absent') await createDatabase(to, databaseName(to));
      if (state === 'unfinished') await dropContents(to);
      const tables: (TableShape & Content)[] = [];
      for (const table of snapshot.tables) tables.push({ ...table, ...(await snapshot.contentOf(table)) });
      const filled = await copyTables(
        to,
        {
          ...snapshot,
          tables,
          sequences: await snapshot.sequences(),
          send: (table, into) => pipeline(new CopyOut(snapshot.client, copyOutCommand(table)), into),
        },
        known,
      );
      await migrateWith(to, known);
      const ledger = await assertLedgerValid(to);
      await assertUnchanged(from);
      await removeMarker(to);
      return { ...filled, ledger };
    });
  } finally {
    await snapshot.close();
  }
}

/** A process that started using the source during the move may have written data that was not moved. */
const assertUnchanged = (from: Connection) => assertNotInUse(from, 'move again');
