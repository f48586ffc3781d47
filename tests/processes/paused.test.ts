import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type ChildHandle, run, useProcesses, waitUntil } from '#tests/support/processes.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const KEY = '4713';

let database: TestDatabase;
let client: Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new Client(database.connection);
  await client.connect();
  await client.query('create table written (id bigserial primary key, pid integer not null)');
});
// Registered before the processes, so it runs after they have ended.
afterEach(async () => {
  await client.end();
  await database.drop();
});
useProcesses();

const contend = () => run(['tests/support/leader-process.ts', JSON.stringify(database.connection), KEY]);
const newest = async () =>
  (await client.query<{ pid: number }>('select pid from written order by id desc limit 1')).rows[0]?.pid;
const writes = (who: ChildHandle) => waitUntil(60_000, async () => (await newest()) === who.pid);

test('a suspended owner is replaced; once resumed, its writes are rejected', async () => {
  const first = contend();
  await first.waitForOutput(/leads/);
  await writes(first);
  const second = contend();

  first.kill('SIGSTOP');
  await second.waitForOutput(/leads/);
  await writes(second);
  const { rows } = await client.query<{ id: string }>('select max(id) as id from written');

  first.kill('SIGCONT');
  // It notices, and becomes a candidate like any other.
  await first.waitForOutput(/resigns/);
  await waitUntil(60_000, async () => {
    const { rows: now } = await client.query<{ id: string }>('select max(id) as id from written');
    return Number(now[0]?.id) > Number(rows[0]?.id) + 50;
  });
  const after = await client.query<{ pid: number }>('select distinct pid from written where id > $1', [rows[0]?.id]);
  expect(after.rows).toEqual([{ pid: second.pid }]);
  expect((await client.query('select epoch::int from leaders where key = $1', [KEY])).rows).toEqual([{ epoch: 2 }]);

  second.kill('SIGKILL');
  await writes(first);
  expect((await client.query('select epoch::int from leaders where key = $1', [KEY])).rows).toEqual([{ epoch: 3 }]);
  // The order of writes is that of the epochs: no leader wrote among the rows of another.
  const { rows: turns } = await client.query<{ n: number }>(`select count(*)::int as n from (
    select pid, lag(pid) over (order by id) as before from written) w where pid is distinct from before`);
  expect(turns).toEqual([{ n: 3 }]);
});
