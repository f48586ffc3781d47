import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

import { type Database, isUnreachable, openDatabase } from './db.ts';
import { claimInstallation } from './installation.ts';

let database: TestDatabase;
let open: Database;
let admin: Client;
let errors: Error[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  errors = [];
  open = openDatabase(database.connection, (error) => errors.push(error));
  admin = new Client(database.connection);
  admin.on('error', () => undefined);
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await open.close();
});

test('array numbers are returned as they were stored', async () => {
  const [row] = (
    await sql<{ none: number[]; all: (number | null)[] }>`
      select '{}'::float8[] as none, array[1, -2.5e-7, null, 'NaN', '-Infinity', 1e22, 0.1]::float8[] as all
    `.execute(open.db)
  ).rows;
  expect(row).toEqual({
    none: [],
    all: [1, -2.5e-7, null, Number.NaN, Number.NEGATIVE_INFINITY, 1e22, 0.1],
  });
  await expect(sql`select array[array[1, 2]]::float8[] as nested`.execute(open.db)).rejects.toThrow(/no parser/);
  expect(await one()).toEqual([{ n: 1 }]);
});

const hangUp = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'meridian'`,
  );
const one = async () => (await sql<{ n: number }>`select 1::int8 as n`.execute(open.db)).rows;

test('a connection lost while idle is reported, and the next call gets a new one', async () => {
  await one();
  await hangUp();
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect(await one()).toEqual([{ n: 1 }]);
});

test('a connection lost during a query fails that query, and the process survives', async () => {
  const query = sql`select pg_sleep(30)`.execute(open.db);
  const failed = expect(query).rejects.toThrow(/terminating connection/);
  await expect
    .poll(
      async () =>
        (await admin.query(`select 1 from pg_stat_activity where query like '%sleep(30)%' and pid <> pg_backend_pid()`))
          .rowCount,
    )
    .toBe(1);
  await hangUp();
  await failed;
  await expect.poll(() => one().catch(() => [])).toEqual([{ n: 1 }]);
});

test('values have the contract’s types, and a number that would lose digits is an error', async () => {
  const { rows } = await sql`select 9007199254740991::int8 as big, '2026-11-20 13:00+01'::timestamptz as at,
    '2026-11-20'::date as day, 0.10::numeric as exact`.execute(open.db);
  expect(rows).toEqual([
    { big: 9_007_199_254_740_991, at: '2026-11-20T12:00:00.000Z', day: '2026-11-20', exact: '0.10' },
  ]);
  await expect(sql`select 9007199254740992::int8`.execute(open.db)).rejects.toThrow(/does not fit/);
});

test('a second role can do what the first can, so that database passwords rotate without a gap', async () => {
  const { rows } = await admin.query<{ owner: string }>('select current_user as owner');
  const owner = admin.escapeIdentifier(rows[0]?.owner ?? '');
  const role = `second_${database.connection.database}`;
  await admin.query(`create role ${role} login password 'a password of its own'`);
  await admin.query(`grant ${owner} to ${role}`);
  await admin.query(`alter role ${role} set role ${owner}`);
  const second = openDatabase(
    { ...database.connection, user: role, password: 'a password of its own' },
    () => undefined,
  );
  const claim = { mode: 'live', seed: 7, secrets: { held: () => ['ours'], useKeysOf: () => true } } as const;
  expect(await claimInstallation(second.db, claim, new Date())).toBe(7);
  await sql`alter table installation add column by_second integer`.execute(second.db);
  await sql`alter table installation drop column by_second`.execute(open.db);
  await second.close();
  await admin.query(`drop role ${role}`);
});

const caught = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing failed');
};

test('an idle transaction whose connection timed out counts as database unavailable', async () => {
  const error = await caught(() =>
    open.db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = '30ms'`.execute(tx);
      await sleep(300);
      await sql`select 1`.execute(tx);
    }),
  );
  expect([isUnreachable(error), error]).toEqual([true, error]);
});

test('a transaction whose connection was terminated counts as database unavailable', async () => {
  const error = await caught(() =>
    open.db.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery<{ pid: number }>(CompiledQuery.raw('select pg_backend_pid() as pid'));
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await sleep(100);
      await sql`select 1`.execute(tx);
    }),
  );
  expect([isUnreachable(error), error]).toEqual([true, error]);
});

test('a timed-out wait for a connection, and a closed connection, count as database unavailable', async () => {
  const pool = new Pool({ ...database.connection, max: 1, connectionTimeoutMillis: 200 });
  const held = await pool.connect();
  const crowded = await caught(() => pool.connect());
  expect([isUnreachable(crowded), crowded]).toEqual([true, crowded]);
  held.release();
  await pool.end();

  const client = new Client(database.connection);
  await client.connect();
  await client.end();
  const closed = await caught(() => client.query('select 1'));
  expect([isUnreachable(closed), closed]).toEqual([true, closed]);
});

test('a statement rejected by the database does not count as unavailable', async () => {
  const refused = ['select 1 / 0', 'selct', 'select * from nowhere', "select 'x'::int", 'select pg_sleep(1)'];
  await open.db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '50ms'`.execute(tx);
    for (const statement of refused) {
      await sql`savepoint before`.execute(tx);
      const error = await caught(() => tx.executeQuery(CompiledQuery.raw(statement)));
      expect([statement, isUnreachable(error)]).toEqual([statement, false]);
      await sql`rollback to before`.execute(tx);
    }
  });
});
