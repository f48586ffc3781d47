import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#kernel/db.ts';
import { createPartitions } from '#kernel/partitions.ts';
import { createTempFolder, createTestBackup, query } from '#tests/support/saves.ts';
import { NOON } from '#tests/support/start.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import type { Manifest } from './backup-format.ts';
import { verifySaved } from './backup-format.ts';
import { openClient } from './catalogue.ts';
import { openSnapshot } from './source.ts';

let database: TestDatabase;
let folder: string;
let remove: () => void;

beforeAll(async () => {
  database = await createTestDatabase();
  await query(
    database.connection,
    `insert into installation (data_mode, key_fingerprint, created_at) values ('live', 'aabbccdd', '2026-11-20T12:00:00Z');
      create table pair_a (id int); create table pair_z (id int)`,
  );
});
afterAll(() => database.drop());
beforeEach(() => {
  ({ folder, remove } = createTempFolder());
});
afterEach(() => remove());

const hourOf = (hour: number) => new Date(NOON.getTime() + hour * 3_600_000);
const manifestOf = (place: string) => JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8')) as Manifest;

describe('consistency', () => {
  test('stays consistent while other sessions write during the backup', async () => {
    const client = await openClient(database.connection);
    let written = 0;
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        written += 1;
        await client.query(
          `begin; insert into pair_a values (${written}); insert into pair_z values (${written}); commit`,
        );
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(5);
    const atStart = written;
    const { place } = await createTestBackup(database.connection, folder);
    const atEnd = written;
    over.abort();
    await writing;
    await client.end();
    const { tables } = manifestOf(place);
    const [first, last] = ['pair_a', 'pair_z'].map((name) => tables.find((table) => table.name === name));
    expect(atEnd - atStart).toBeGreaterThan(20);
    expect(first?.rows).toBeGreaterThanOrEqual(atStart - 1);
    expect(last?.rows).toBe(first?.rows);
    expect(last?.hash).toBe(first?.hash);
    expect(gunzipSync(readFileSync(join(place, last?.file ?? '')))).toEqual(
      gunzipSync(readFileSync(join(place, first?.file ?? ''))),
    );
  });

  test('lets the product add partitions and defers removing old ones until the backup ends', async () => {
    const { db, close } = openDatabase(database.connection, () => undefined, 2);
    const partitions = createPartitions(db);
    const table = { table: 'price_observations', every: 'day', keepDays: 1 } as const;
    const old = new Date('2026-10-01T00:00:00Z');
    await partitions.ensure(table, old, old);
    const snapshot = await openSnapshot(database.connection, 'it');
    await partitions.ensure(table, hourOf(48), hourOf(48));
    expect(await partitions.dropOld(table, NOON)).toEqual([]);
    expect(snapshot.tables.map(({ name }) => name)).toContain('price_observations_20261001');
    expect(await snapshot.contentOf(snapshot.tables.find(({ name }) => name.endsWith('20261001'))!)).toEqual({
      rows: 0,
      hash: '0',
    });
    await snapshot.close();
    expect(await partitions.dropOld(table, NOON)).toEqual(['price_observations_20261001']);
    await close();
  });
});

describe('backup folder', () => {
  test('lists its contents, is private, and passes sha256sum', async () => {
    const { place, tables, rows } = await createTestBackup(database.connection, folder);
    expect(place).toBe(join(folder, 'meridian-backup-2026-11-20T120000Z'));
    const manifest = manifestOf(place);
    expect(manifest).toMatchObject({
      format: 1,
      version: '1.0.0',
      takenAt: '2026-11-20T12:00:00.000Z',
      installation: { dataMode: 'live', key: 'aabbccdd' },
      withKey: false,
    });
    expect(manifest.migrations).toContain('0029-jobs');
    expect(manifest.tables).toHaveLength(tables);
    expect(manifest.tables.reduce((sum, table) => sum + table.rows, 0)).toBe(rows);
    expect(manifest.sequences.map(({ name }) => name)).toContain('users_id_seq');
    expect(statSync(place).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(place)) expect(statSync(join(place, file)).mode & 0o777, file).toBe(0o600);
    expect(spawnSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: place }).status).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('includes the secret key only when requested', async () => {
    const { place } = await createTestBackup(database.connection, folder, { key: 'k'.repeat(43) });
    expect(readFileSync(join(place, 'secret.key'), 'utf8')).toBe(`${'k'.repeat(43)}\n`);
    expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600);
    await expect(verifySaved(place)).resolves.toMatchObject({ withKey: true });
  });

  test('never overwrites anything', async () => {
    const { place } = await createTestBackup(database.connection, folder);
    const before = statSync(join(place, 'manifest.json')).mtimeMs;
    await expect(createTestBackup(database.connection, folder)).rejects.toThrow(
      `${place} already exists and will not be overwritten.`,
    );
    expect(statSync(join(place, 'manifest.json')).mtimeMs).toBe(before);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('--keep removes only the oldest backups it created', async () => {
    const made = [];
    for (const hour of [0, 1, 2])
      made.push((await createTestBackup(database.connection, folder, { now: hourOf(hour) })).place);
    const [first = '', second = ''] = made;
    cpSync(second, join(folder, 'meridian-backup-of-another'), { recursive: true });
    const other = manifestOf(second);
    other.installation.createdAt = '2020-01-01';
    writeFileSync(join(folder, 'meridian-backup-of-another', 'manifest.json'), JSON.stringify(other));
    mkdirSync(join(folder, 'meridian-backup-notes'));
    const { removed } = await createTestBackup(database.connection, folder, { now: hourOf(3), keep: 2 });
    expect(removed.map((name) => join(folder, name))).toEqual([first, second]);
    expect(readdirSync(folder).toSorted()).toEqual([
      'meridian-backup-2026-11-20T140000Z',
      'meridian-backup-2026-11-20T150000Z',
      'meridian-backup-notes',
      'meridian-backup-of-another',
    ]);
  });
});

describe('an interrupted backup', () => {
  test('leaves nothing behind when interrupted', async () => {
    const ending = new AbortController();
    const running = createTestBackup(database.connection, folder, { signal: ending.signal });
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    ending.abort(new Error('ended by the operator'));
    await expect(running).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a killed backup does not look like one and the next run removes its remains', async () => {
    const { place } = await createTestBackup(database.connection, folder);
    const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
    const { pid } = spawnSync('true');
    const left = join(folder, `.meridian-backup-2026-11-19T120000Z.unfinished-${host}-${pid}`);
    renameSync(place, left);
    const elsewhere = join(folder, `.meridian-backup-2026-11-19T120000Z.unfinished-00000000-${pid}`);
    mkdirSync(elsewhere);
    const next = await createTestBackup(database.connection, folder, { now: hourOf(1), keep: 5 });
    expect(next.removed).toEqual([]);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(elsewhere)).toBe(true);
  });

  test('a full disk yields an error and no complete-looking backup', async ({ skip }) => {
    const small = join(folder, 'small');
    mkdirSync(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', small], { stdio: 'pipe' });
    } catch (error) {
      skip(`a small disk cannot be mounted here: ${String((error as { stderr?: Buffer }).stderr).trim()}`);
    }
    try {
      await expect(createTestBackup(database.connection, small)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(readdirSync(small)).toEqual([]);
    } finally {
      execFileSync('umount', ['-l', small]);
    }
  });
});

test('rejects a foreign or never-started database with a one-sentence error', async () => {
  const other = await createTestDatabase();
  await expect(createTestBackup(other.connection, folder)).rejects.toThrow('is empty. Start Meridian on it once.');
  await query(other.connection, 'drop table installation');
  await expect(createTestBackup(other.connection, folder)).rejects.toThrow('contains no Meridian data.');
  await other.drop();
  expect(readdirSync(folder)).toEqual([]);
});
