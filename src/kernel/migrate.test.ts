import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { migrate } from '#app/server/migrations.ts';
import type { Connection } from './db.ts';
import { migrateWith } from './migrate.ts';

let empty: Connection;
let client: Client;

async function administer(text: (name: string) => string): Promise<void> {
  const admin = new Client({ ...inject('testServer').connection, database: 'postgres' });
  await admin.connect();
  await admin.query(text(admin.escapeIdentifier(empty.database ?? '')));
  await admin.end();
}

beforeEach(async () => {
  empty = { ...inject('testServer').connection, database: `empty_${randomUUID().replaceAll('-', '')}` };
  await administer((name) => `create database ${name}`);
  client = new Client(empty);
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await administer((name) => `drop database ${name} with (force)`);
});

const ask = async <T>(text: string): Promise<T[]> => (await client.query(text)).rows as T[];
const tables = () =>
  ask<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
const run = (text: string) => async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db));
const done = async () =>
  (await ask<{ name: string }>('select name from kysely_migration order by 1')).map((r) => r.name);

describe('migrate', () => {
  test('several processes starting concurrently on an empty database all succeed', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(empty)));
    expect(await ask('select count(*)::int as count from pgboss.version')).toEqual([{ count: 1 }]);
    expect(await ask(`select to_regclass('coins') is not null as there`)).toEqual([{ there: true }]);
    expect(new Set(await done()).size).toBe((await done()).length);
  });

  test('a second run changes nothing', async () => {
    await migrate(empty);
    const [before, first] = [await tables(), await ask('select * from kysely_migration order by name')];
    await migrate(empty);
    expect(await tables()).toEqual(before);
    expect(await ask('select * from kysely_migration order by name')).toEqual(first);
  });

  test('a failed migration reports why, leaves nothing half-written, and the next start can succeed', async () => {
    const first = { up: run('create table first_one (id int)') };
    const broken = { up: run('create table half (id int); insert into half values (1); select 1 / 0') };
    await expect(migrateWith(empty, { '0001-first': first, '0002-broken': broken })).rejects.toThrow(
      /division by zero/,
    );
    const names = (await tables()).map(({ name }) => name);
    expect(names).not.toContain('public.half');
    expect(names).not.toContain('public.first_one');
    expect(await done()).toEqual([]);

    const mended = { up: run('create table half (id int)') };
    await migrateWith(empty, { '0001-first': first, '0002-broken': mended });
    expect(await done()).toEqual(['0001-first', '0002-broken']);
    expect(await ask('select * from half')).toEqual([]);
  });

  test('a failure lets the others continue: no process waits for a stale lock', async () => {
    const failing = { '0001-broken': { up: run('select pg_sleep(0.2); select 1 / 0') } };
    const working = { '0001-broken': { up: run('create table works (id int)') } };
    const both = await Promise.allSettled([migrateWith(empty, failing), migrateWith(empty, working)]);
    expect(both.map(({ status }) => status)).toEqual([expect.any(String), 'fulfilled']);
    expect(await ask('select * from works')).toEqual([]);
    const held = await ask(
      `select 1 from pg_locks l join pg_database d on d.oid = l.database
       where locktype = 'advisory' and datname = current_database()`,
    );
    expect(held).toEqual([]);
  });
});
