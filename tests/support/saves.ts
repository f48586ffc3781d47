import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject } from 'vitest';

import { type Backup, type BackupOrder, createBackup } from '#app/server/backup/backup.ts';
import { readContent, readGuards, readTables, withClient } from '#app/server/backup/catalogue.ts';
import { createDatabase, dropDatabase, siblingConnection } from '#app/server/backup/databases.ts';
import { createProduct, type Product } from '#app/server/product.ts';
import type { Connection } from '#kernel/db.ts';
import { createLog } from '#kernel/log.ts';
import { openSecrets } from '#kernel/secrets.ts';

import { NOON, type TestProduct } from './start.ts';

export function createTempFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-saves-'));
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes a backup like the command, at the suite's noon. */
export const createTestBackup = (
  connection: Connection,
  to: string,
  overrides: Partial<BackupOrder> = {},
): Promise<Backup> =>
  createBackup({
    connection,
    database: 'of the test',
    to,
    keep: null,
    key: null,
    now: NOON,
    version: '1.0.0',
    signal: new AbortController().signal,
    ...overrides,
  });

export type SpareDatabases = { missing: () => Connection; empty: () => Promise<Connection>; drop: () => Promise<void> };

/**
 * Databases of the test server that are missing or empty; all are dropped at the end, including those created next to
 * them.
 */
export function createSpareDatabases(): SpareDatabases {
  const { connection } = inject('testServer');
  const names: string[] = [];
  const missing = () => {
    const name = `place_${randomUUID().slice(0, 8)}`;
    names.push(name);
    return { ...connection, database: name };
  };
  return {
    missing,
    async empty() {
      const target = missing();
      await createDatabase(target, target.database);
      return target;
    },
    async drop() {
      const all = await withClient({ ...connection, database: 'postgres' }, (client) =>
        client.query<{ datname: string }>('select datname from pg_database'),
      );
      const created = all.rows.filter(({ datname }) => names.some((name) => datname.startsWith(name)));
      for (const { datname } of created) await dropDatabase(siblingConnection(connection, 'postgres'), datname);
    },
  };
}

export const query = async <Row extends object>(connection: Connection, sql: string, values: unknown[] = []) =>
  withClient(connection, async (client) => (await client.query<Row>(sql, values)).rows);

/** Row count and checksum of every table, by name. */
export const readChecksums = (connection: Connection): Promise<Record<string, string>> =>
  withClient(connection, async (client) => {
    const contents: Record<string, string> = {};
    for (const table of await readTables(client)) {
      const { rows, hash } = await readContent(client, table);
      contents[`${table.schema}.${table.name}`] = `${rows} ${hash}`;
    }
    return contents;
  });

/** A second product of the suite, on another database. */
export function openProductOn(s: TestProduct, connection: Connection): Promise<Product> {
  const { config } = s.product.auth.ctx;
  const log = createLog('silent');
  return createProduct({
    config,
    mode: 'live',
    connection,
    databaseKind: 'external',
    clock: s.clock,
    log,
    secrets: openSecrets({ config, log }),
    version: '1.0.0',
  });
}

/** Excludes pg-boss's daily statistics: a database created before midnight has other days. */
export const readTriggers = async (connection: Connection): Promise<string[]> =>
  (await withClient(connection, readGuards)).filter((line) => !/queue_stats_\d{8}/.test(line));
