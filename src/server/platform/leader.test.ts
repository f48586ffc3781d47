import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

import { campaign } from './leader.ts';

const KEY = 4711;

type Contender = { stop: () => Promise<void>; errors: unknown[] };

let database: TestDatabase;
let admin: Client;
let contenders: Contender[];
/** Who leads now, in the order they took over. */
let leading: string[];
let past: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new Client(database.connection);
  admin.on('error', () => undefined);
  await admin.connect();
  [contenders, leading, past] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(contenders.map(({ stop }) => stop()));
  await admin.end();
  await database.drop();
});

function contend(name: string, { key = KEY, fails = 0 } = {}): Contender {
  const errors: unknown[] = [];
  let failures = fails;
  const { stop } = campaign(database.connection, key, {
    lead: async () => {
      if (failures-- > 0) throw new Error(`${name} cannot begin`);
      leading.push(name);
      past.push(name);
      return async () => {
        leading = leading.filter((other) => other !== name);
      };
    },
    error: (error) => errors.push(error),
  });
  const contender = { stop, errors };
  contenders.push(contender);
  return contender;
}

const soon = { timeout: 8000 };
const killLeader = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and granted
     and database = (select oid from pg_database where datname = current_database())`,
    [KEY],
  );

test('of several contenders one leads, and of different keys each', async () => {
  for (const name of ['a', 'b', 'c']) contend(name);
  contend('other', { key: KEY + 1 });
  await expect.poll(() => leading.length, soon).toBe(2);
  expect(leading).toContain('other');
  expect(past).toHaveLength(2);
});

test('when the leader stops, it resigns first and another takes over', async () => {
  const first = contend('first');
  await expect.poll(() => leading, soon).toEqual(['first']);
  contend('second');
  await first.stop();
  expect(leading).not.toContain('first');
  await expect.poll(() => leading, soon).toEqual(['second']);
});

test('when its connection is cut, the leader resigns, and one of the two takes over', async () => {
  contend('first');
  await expect.poll(() => leading, soon).toEqual(['first']);
  contend('second');
  await killLeader();
  await expect.poll(() => past.length, soon).toBe(2);
  expect(leading).toHaveLength(1);
  await killLeader();
  await expect.poll(() => past.length, soon).toBe(3);
  expect(leading).toHaveLength(1);
}, 20_000);

test('a leader that steps down resigns, and leads again if nobody else does', async () => {
  const said: string[] = [];
  const { stop } = campaign(database.connection, KEY, {
    lead: async (stepDown) => {
      said.push('leads');
      if (said.length === 1) stepDown();
      return async () => void said.push('resigned');
    },
    error: (error) => void said.push(String(error)),
  });
  await expect.poll(() => said, soon).toEqual(['leads', 'resigned', 'leads']);
  await stop();
});

test('a leader that cannot begin says so and lets go, for another or for its next try', async () => {
  const first = contend('first', { fails: 1 });
  await expect.poll(() => first.errors.map(String), soon).toEqual(['Error: first cannot begin']);
  await expect.poll(() => leading, soon).toEqual(['first']);
});

test('a database that cannot be reached is reported, and stop does not wait for it', async () => {
  const errors: unknown[] = [];
  const { stop } = campaign({ ...database.connection, database: 'nowhere' }, KEY, {
    lead: () => Promise.reject(new Error('must not lead')),
    error: (error) => errors.push(error),
  });
  await expect.poll(() => String(errors[0]), soon).toContain('"nowhere" does not exist');
  await stop();
  expect(errors).toHaveLength(1);
});
