import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ConstructorOptions, PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#kernel/db.ts';
import {
  createSpareDatabases,
  createTempFolder,
  createTestBackup,
  query,
  readChecksums,
  type SpareDatabases,
} from '#tests/support/saves.ts';
import { NOON } from '#tests/support/start.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { migrations } from '../migrations.ts';
import { verifySaved } from './backup-format.ts';
import { openClient } from './catalogue.ts';
import { assertFinished } from './databases.ts';
import { dropReplaced, restore, restoreTrial } from './restore.ts';

let database: TestDatabase;
let held: SpareDatabases;
let whole: string;
const { folder, remove } = createTempFolder();

/** The minimum content of a complete restored database. */
const FILL = `insert into installation (data_mode, key_fingerprint, created_at) values ('live', 'aabbccdd', '2026-11-20T12:00:00Z');
  create table if not exists price_observations_20261120 partition of price_observations
    for values from ('2026-11-20') to ('2026-11-21');
  insert into coins (id, symbol, name, updated_at) select 'coin-' || n, 'C' || n, 'Coin ' || n, now()
    from generate_series(1, 2000) n`;

async function fillIn(connection: Connection): Promise<void> {
  await query(connection, FILL);
  const queue = { migrate: false, schedule: false, supervise: false };
  const boss = new PgBoss({ ...(connection as ConstructorOptions), ...queue });
  await boss.start();
  await boss.createQueue('some.job');
  await boss.send('some.job', { waits: true });
  await boss.stop({ graceful: false });
}

beforeAll(async () => {
  database = await createTestDatabase();
  held = createSpareDatabases();
  await fillIn(database.connection);
  ({ place: whole } = await createTestBackup(database.connection, folder));
});
afterAll(async () => {
  await database.drop();
  await held.drop();
  remove();
});

let copies = 0;
function copyOf(backup = whole): string {
  copies += 1;
  const copy = join(folder, `copy-${copies}`);
  cpSync(backup, copy, { recursive: true });
  return copy;
}

const partOf = (backup: string, table: string): string => {
  const { tables } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as {
    tables: { name: string; file: string }[];
  };
  return join(backup, tables.find(({ name }) => name === table)?.file ?? 'none');
};

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

const into = async (backup: string, target: Connection, more: Partial<Parameters<typeof restore>[0]> = {}) => {
  const manifest = await verifySaved(backup);
  return restore({ folder: backup, manifest, target, replace: false, newKey: false, now: NOON, ...more });
};

describe('an incomplete backup is rejected before anything changes', () => {
  test.each<[string, RegExp, (copy: string) => void]>([
    ['one flipped bit in a part', /coins.copy.gz has changed/, (copy) => flip(partOf(copy, 'coins'), 40)],
    ['a part cut short', /coins.copy.gz has changed/, (copy) => truncateSync(partOf(copy, 'coins'), 100)],
    ['a missing part', /coins.copy.gz is missing/, (copy) => rmSync(partOf(copy, 'coins'))],
    ['a file too many', /9999-x.copy.gz is unexpected/, (copy) => writeFileSync(join(copy, '9999-x.copy.gz'), '')],
    ['one flipped bit in the manifest', /manifest.json has changed/, (copy) => flip(join(copy, 'manifest.json'), 500)],
    ['sums that were cut short', /SHA256SUMS/, (copy) => truncateSync(join(copy, 'SHA256SUMS'), 900)],
    ['no sums', /SHA256SUMS is missing/, (copy) => rmSync(join(copy, 'SHA256SUMS'))],
    ['no manifest', /manifest.json is missing/, (copy) => rmSync(join(copy, 'manifest.json'))],
  ])('rejects %s', async (_, words, damage) => {
    const copy = copyOf();
    damage(copy);
    await expect(verifySaved(copy)).rejects.toThrow(words);
  });

  test('rejects a folder without a backup', async () => {
    await expect(verifySaved(join(folder, 'nowhere'))).rejects.toThrow('is damaged: SHA256SUMS is missing');
  });
});

/** A backup with a modified manifest and matching checksums. */
async function retold(change: (manifest: Record<string, unknown>) => void): Promise<string> {
  const { createHash } = await import('node:crypto');
  const copy = copyOf();
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  const sums = readFileSync(join(copy, 'SHA256SUMS'), 'utf8');
  writeFileSync(join(copy, 'SHA256SUMS'), sums.replace(/^\w{64} {2}manifest.json$/m, `${sum}  manifest.json`));
  return copy;
}

type Told = { format: number; migrations: string[]; tables: { name: string; hash: string; rows: number }[] };

describe('versions', () => {
  test('rejects a newer backup format with a one-sentence error', async () => {
    const copy = await retold((manifest) => (manifest['format'] = 2));
    await expect(verifySaved(copy)).rejects.toThrow('was created by a newer version. Update Meridian first.');
  });

  test('rejects a newer schema without creating a database', async () => {
    const copy = await retold((manifest) => (manifest as unknown as Told).migrations.push('9999-later'));
    const target = held.missing();
    await expect(into(copy, target)).rejects.toThrow(
      'comes from a newer version with 9999-later. Update Meridian first.',
    );
    await expect(query(target, 'select 1')).rejects.toThrow('does not exist');
  });

  test('restores an older schema as is, then migrates it', async () => {
    const later = {
      up: async (db: never) =>
        void (await (await import('kysely')).sql`alter table coins add column rank_then int default 5`.execute(db)),
    };
    const target = held.missing();
    const done = await into(whole, target, { known: { ...migrations, '9999-later': later } });
    expect(done.migrated).toEqual(['9999-later']);
    expect(await query(target, 'select count(*)::int as coins, max(rank_then) as rank from coins')).toEqual([
      { coins: 2000, rank: 5 },
    ]);
  });

  test('pending jobs survive another job queue version via the columns both share', async () => {
    const older = await createTestDatabase();
    await fillIn(older.connection);
    await query(
      older.connection,
      `alter table pgboss.job add column retired text default 'x'; update pgboss.version set version = 1`,
    );
    const { place } = await createTestBackup(older.connection, join(folder, 'older'));
    const target = held.missing();
    await into(place, target);
    const jobs = await query(target, 'select name, data, state::text from pgboss.job');
    expect(jobs).toEqual([{ name: 'some.job', data: { waits: true }, state: 'created' }]);
    expect(await query(target, 'select version > 1 as newer from pgboss.version')).toEqual([{ newer: true }]);
    await older.drop();
  });
});

describe('discovers tables from the catalogue', () => {
  test('automatically includes a table added by a later migration', async () => {
    const { sql } = await import('kysely');
    const later = {
      up: async (db: never) => {
        await sql`create table added_later (id bigint generated always as identity primary key, note text)`.execute(db);
      },
    };
    const known = { ...migrations, '9999-later': later } as typeof migrations;
    const first = held.missing();
    await into(whole, first, { known });
    await query(first, `insert into added_later (note) values ('kept'), (null)`);
    const { place } = await createTestBackup(first, join(folder, 'later'));
    const second = held.missing();
    await into(place, second, { known });
    expect(await query(second, 'select id, note from added_later order by id')).toEqual([
      { id: '1', note: 'kept' },
      { id: '2', note: null },
    ]);
    expect(await readChecksums(second)).toEqual(await readChecksums(first));
  });

  test('reports and skips tables the product did not create', async () => {
    const other = await createTestDatabase();
    await query(
      other.connection,
      `${FILL}; create table of_the_operator (id int); insert into of_the_operator values (1)`,
    );
    const { place } = await createTestBackup(other.connection, join(folder, 'foreign'));
    const done = await into(place, held.missing());
    expect(done.leftOut).toEqual(['public.of_the_operator']);
    await other.drop();
  });
});

describe('existing data is safe', () => {
  test('rejects a non-empty database without --replace and leaves it unchanged', async () => {
    const target = held.missing();
    await into(whole, target);
    await query(target, `insert into coins (id, symbol, name, updated_at) values ('own', 'OWN', 'Own', now())`);
    const before = await readChecksums(target);
    await expect(into(whole, target)).rejects.toThrow('contains data. Add --replace to replace it');
    expect(await readChecksums(target)).toEqual(before);
  });

  test('--replace swaps in the backup and retains the old database', async () => {
    const target = held.missing();
    await into(whole, target);
    await query(target, `insert into coins (id, symbol, name, updated_at) values ('own', 'OWN', 'Own', now())`);
    const { aside } = await into(whole, target, { replace: true });
    const own = `select count(*)::int as own from coins where id = 'own'`;
    expect(await query(target, own)).toEqual([{ own: 0 }]);
    expect(await query({ ...target, database: aside ?? '' }, own)).toEqual([{ own: 1 }]);
    expect(await dropReplaced(target)).toEqual([aside]);
    await expect(query({ ...target, database: aside ?? '' }, own)).rejects.toThrow('does not exist');
  });

  test('--new-key lets the next start set a new key; without it the old key is required', async () => {
    const target = held.missing();
    const key = 'select key_fingerprint as key from installation';
    await into(whole, target);
    expect(await query(target, key)).toEqual([{ key: 'aabbccdd' }]);
    await into(whole, target, { replace: true, newKey: true });
    expect(await query(target, key)).toEqual([{ key: null }]);
  });

  test('if rows do not match the manifest, the old database keeps working and nothing is left beside it', async () => {
    const target = held.missing();
    await into(whole, target);
    const before = await readChecksums(target);
    const copy = await retold((manifest) => {
      for (const table of (manifest as unknown as Told).tables) if (table.name === 'coins') table.hash = '1';
    });
    await expect(into(copy, target, { replace: true })).rejects.toThrow(
      /^public.coins differs from the source: 2000 rows with checksum -?\d+, expected 2000 with 1.$/,
    );
    expect(await readChecksums(target)).toEqual(before);
    await expect(dropReplaced(target)).resolves.toEqual([]);
  });

  test('rejects a database in use until all clients stop', async () => {
    const target = held.missing();
    await into(whole, target);
    const client = await openClient({ ...target, application_name: 'meridian' });
    await expect(into(whole, target, { replace: true })).rejects.toThrow(
      /is in use by 1 session \(meridian\)\. Stop every Meridian process, then restore.$/,
    );
    await client.end();
  });

  test('the product rejects an interrupted restore and the next restore starts over', async () => {
    const target = held.missing();
    const copy = await retold((manifest) => {
      for (const table of (manifest as unknown as Told).tables) if (table.name === 'users') table.rows = 3;
    });
    await expect(into(copy, target)).rejects.toThrow('public.users: received 0 rows, expected 3.');
    await expect(assertFinished(target)).rejects.toThrow('is incomplete because a restore or move was interrupted');
    await expect(createTestBackup(target, join(folder, 'half'))).rejects.toThrow('is incomplete');
    await into(whole, target);
    await assertFinished(target);
    expect(await readChecksums(target)).toEqual(await readChecksums(database.connection));
  });

  test('a rehearsal verifies everything and changes nothing', async () => {
    const target = held.missing();
    await into(whole, target);
    await query(target, 'delete from coins');
    const client = await openClient({ ...target, application_name: 'meridian' });
    const manifest = await verifySaved(whole);
    const order = { folder: whole, manifest, target, replace: false, newKey: false, now: NOON };
    expect(await restoreTrial(order)).toMatchObject({ tables: manifest.tables.length, leftOut: [] });
    expect((await client.query('select count(*)::int as coins from coins')).rows).toEqual([{ coins: 0 }]);
    const left = await client.query('select datname from pg_database where datname like $1', [`${target.database}_%`]);
    expect(left.rows).toEqual([]);
    await client.end();
    const wrong = await retold((manifest) => {
      for (const table of (manifest as unknown as Told).tables) if (table.name === 'coins') table.hash = '1';
    });
    await expect(restoreTrial({ ...order, folder: wrong, manifest: await verifySaved(wrong) })).rejects.toThrow(
      'differs from the source',
    );
  });
});
