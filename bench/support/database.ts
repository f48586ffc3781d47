import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '#app/server/migrations.ts';
import type { Connection } from '#kernel/db.ts';
import { startBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { ensureDatabase } from '#kernel/postgres/databases.ts';

import type { Context } from '../benchmark.ts';

export function makeTemporaryFolder(context: Context): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  // The database server may run under an account of its own.
  chmodSync(folder, 0o755);
  context.cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A bundled PostgreSQL of the benchmark's own; returns what makes a migrated database on it. A durable one waits for the disk, as in use. */
export async function startDatabases(
  context: Context,
  { durable = false } = {},
): Promise<(name: string) => Promise<Connection>> {
  const dataDir = makeTemporaryFolder(context);
  const server = await startBundledPostgres({ dataDir, durable, log: () => undefined });
  context.cleanUp(() => server.stop());
  return async (name) => {
    await ensureDatabase(server.connection, name);
    const connection = { ...server.connection, database: name };
    await migrate(connection);
    return connection;
  };
}
