import { pipeline } from 'node:stream/promises';
import type { Connection } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { migrations } from '../migrations.ts';
import { type Content, copyOutOf, type TableShape } from './catalogue.ts';
import { CopyOut } from './copy.ts';
import { alone, createDatabase, emptyOut, nameOf, refuseInUse, stateOf } from './databases.ts';
import { type Filled, fill, schemaOf, unmark } from './fill.ts';
import { proveLedger } from './restore.ts';
import { openSnapshot } from './source.ts';

export type Moved = Filled & { ledger: number };

/**
 * Copies everything into an empty database, verifies it, and leaves the source unchanged. Neither may be in use during
 * the move.
 */
export async function move(from: Connection, to: Connection, known: Migrations = migrations): Promise<Moved> {
  await refuseInUse(from, 'move');
  const snapshot = await openSnapshot(from, nameOf(from));
  try {
    schemaOf(snapshot.migrations, known);
    return await alone(to, async () => {
      const state = await stateOf(to);
      if (state === 'filled')
        throw new AppStartError(
          `The database ${nameOf(to)} already contains data. Use an empty database, or one that does not exist yet.`,
        );
      if (state !== 'absent') await refuseInUse(to, 'move');
      if (state === 'absent') await createDatabase(to, nameOf(to));
      if (state === 'unfinished') await emptyOut(to);
      const tables: (TableShape & Content)[] = [];
      for (const table of snapshot.tables) tables.push({ ...table, ...(await snapshot.contentOf(table)) });
      const filled = await fill(
        to,
        {
          ...snapshot,
          tables,
          sequences: await snapshot.sequences(),
          send: (table, into) => pipeline(new CopyOut(snapshot.client, copyOutOf(table)), into),
        },
        known,
      );
      await migrateWith(to, known);
      const ledger = await proveLedger(to);
      await refuseWritten(from);
      await unmark(to);
      return { ...filled, ledger };
    });
  } finally {
    await snapshot.close();
  }
}

/** A process that started using the source during the move may have written data that was not moved. */
const refuseWritten = (from: Connection) => refuseInUse(from, 'move again');
