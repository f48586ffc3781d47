import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

import { type Database, openDatabase } from './db.ts';
import { isUnreachable } from './db-failures.ts';

let database: TestDatabase;
let open: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.connection, () => undefined);
});
afterEach(async () => {
  await open.close();
  await database.drop();
});

const caught = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing failed');
};

test('a transaction that stood still until its connection was ended found no database', async () => {
  const error = await caught(() =>
    open.db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = '30ms'`.execute(tx);
      await sleep(300);
      await sql`select 1`.execute(tx);
    }),
  );
  expect([isUnreachable(error), error]).toEqual([true, error]);
});

test('a transaction whose connection was ended under it found no database', async () => {
  const admin = new Client(database.connection);
  await admin.connect();
  const error = await caught(() =>
    open.db.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery<{ pid: number }>(CompiledQuery.raw('select pg_backend_pid() as pid'));
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await sleep(100);
      await sql`select 1`.execute(tx);
    }),
  );
  expect([isUnreachable(error), error]).toEqual([true, error]);
  await admin.end();
});

test('a wait for a connection that no one gave back, and a connection that was closed, found no database', async () => {
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

test('a statement that the database understood and refused found it', async () => {
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
