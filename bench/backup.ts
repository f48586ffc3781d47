import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { createBackup } from '#app/server/backup/backup.ts';
import { verifySaved } from '#app/server/backup/backup-format.ts';
import { connect, copyInCommand, copyOutCommand, readTables, type TableShape } from '#app/server/backup/catalogue.ts';
import { CopyIn, CopyOut } from '#app/server/backup/copy.ts';
import { dropDatabase } from '#app/server/backup/databases.ts';
import { restore } from '#app/server/backup/restore.ts';
import type { Connection } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { createTempFolder, startDatabases } from './support/child.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ROUNDS = 3;

const timeSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

async function fill(connection: Connection, rows: number): Promise<TableShape> {
  const client = await connect(connection);
  try {
    await client.query(
      `insert into installation (data_mode, created_at) values ('live', '${NOW.toISOString()}');
      insert into coins (id, symbol, name, updated_at)
        select 'coin-' || n, 'C' || n, md5(n::text) || md5((n + 1)::text), now() from generate_series(1, ${rows}) n;
      analyze`,
    );
    return (await readTables(client)).find(({ name }) => name === 'coins') as TableShape;
  } finally {
    await client.end();
  }
}

/** The same rows read by the driver and discarded. */
async function plainCopyOut(connection: Connection, table: TableShape): Promise<void> {
  const client = await connect(connection);
  await pipeline(
    new CopyOut(client, copyOutCommand(table)),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  );
  await client.end();
}

/** The same rows copied into a table with the same columns and keys. */
async function plainCopyIn(from: Connection, table: TableShape): Promise<void> {
  const [source, target] = [await connect(from), await connect(from)];
  await target.query(`create table bare (like ${table.name} including all)`);
  await pipeline(
    new CopyOut(source, copyOutCommand(table)),
    new CopyIn(target, copyInCommand({ ...table, name: 'bare' })),
  );
  await target.query('drop table bare');
  await Promise.all([source.end(), target.end()]);
}

async function run(context: Context): Promise<void> {
  const rows = context.ci ? 200_000 : 2_000_000;
  const makeDatabase = await startDatabases(context, { durable: true });
  const connection = await makeDatabase('saved');
  const table = await fill(connection, rows);
  const folder = createTempFolder(context);
  const perSecond = (seconds: number) => rows / seconds;
  const backupOptions = { connection, database: 'saved', keep: null, key: null, now: NOW, version: '1.0.0' };
  let count = 0;

  const backup = async () => {
    const to = join(folder, String((count += 1)));
    const created = await createBackup({ ...backupOptions, to, signal: new AbortController().signal });
    return { made: created, remove: () => rmSync(to, { recursive: true }) };
  };
  const writeResult = await interleave(
    ROUNDS,
    async () => {
      let remove = () => undefined as void;
      const seconds = await timeSeconds(async () => ({ remove } = await backup()));
      remove();
      return perSecond(seconds);
    },
    async () => perSecond(await timeSeconds(() => plainCopyOut(connection, table))),
  );
  context.emit({ ...writeResult, name: 'backup.write', n: rows, unit: 'rows/s', goal: { atLeast: 0.1 } });

  const { made: created } = await backup();
  const restoreResult = await interleave(
    ROUNDS,
    async () => {
      const target = { ...connection, database: `back_${(count += 1)}` };
      const seconds = await timeSeconds(async () => {
        const manifest = await verifySaved(created.place);
        await restore({ folder: created.place, manifest, target, replace: false, newKey: false, now: NOW });
      });
      await dropDatabase(target, target.database);
      return perSecond(seconds);
    },
    async () => perSecond(await timeSeconds(() => plainCopyIn(connection, table))),
  );
  context.emit({ ...restoreResult, name: 'backup.restore', n: rows, unit: 'rows/s', goal: { atLeast: 0.25 } });
}

export const backup: Benchmark = { names: ['backup.write', 'backup.restore'], run };
