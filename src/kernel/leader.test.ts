import { hostname } from 'node:os';

import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { type Fence, LeadershipLostError, runForLeader, type Term } from './leader.ts';
import { createLog } from './log.ts';

const KEY = 4711;

type Contender = {
  stop: () => Promise<void>;
  errors: unknown[];
  /** One fence per term. */
  terms: Fence[];
  fence: () => Fence | undefined;
};
type Timing = Parameters<typeof runForLeader>[3];

const OFTEN: Timing = { retryMs: 50 };

const database = fileDatabase();
let admin: Client;
let contenders: Contender[];
/** The current leaders, in the order in which they took over. */
let leading: string[];
let past: string[];
let logged: object[];
const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as object) });

beforeEach(async () => {
  admin = new Client(database.connection);
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query('delete from leaders');
  [contenders, leading, past, logged] = [[], [], [], []];
});
afterEach(async () => {
  await Promise.all(contenders.map(({ stop }) => stop()));
  await admin.end();
});

function contend(
  name: string,
  { key = KEY, fails = 0, timing = OFTEN }: { key?: number; fails?: number; timing?: Timing } = {},
): Contender {
  const errors: unknown[] = [];
  const terms: Fence[] = [];
  let failures = fails;
  const { stop } = runForLeader(
    database.connection,
    key,
    {
      duty: 'test',
      lead: async ({ fence }) => {
        if (failures-- > 0) throw new Error(`${name} cannot begin`);
        terms.push(fence);
        leading.push(name);
        past.push(name);
        return async () => {
          leading = leading.filter((other) => other !== name);
        };
      },
      error: (error) => errors.push(error),
      log,
    },
    timing,
  );
  const contender = { stop, errors, terms, fence: () => terms.at(-1) };
  contenders.push(contender);
  return contender;
}

// A process that was cut off campaigns again, and may win several times.
const soon = { timeout: 30_000 };
const killLeader = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1 and granted
     and database = (select oid from pg_database where datname = current_database())`,
    [KEY],
  );

test('of several contenders one leads, and one for each key', async () => {
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
  await expect
    .poll(() => logged)
    .toMatchObject([
      { duty: 'test', epoch: 1, msg: 'acquired leadership' },
      { duty: 'test', epoch: 1, msg: 'lost leadership' },
      { duty: 'test', epoch: 2, msg: 'acquired leadership' },
    ]);
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

test('a leader that steps down resigns, and leads again if no other does', async () => {
  const said: string[] = [];
  const duty = {
    duty: 'test',
    lead: async ({ stepDown }: Term) => {
      said.push('leads');
      if (said.length === 1) stepDown();
      return async () => void said.push('resigned');
    },
    error: (error: unknown) => void said.push(String(error)),
    log,
  };
  const { stop } = runForLeader(database.connection, KEY, duty, OFTEN);
  await expect.poll(() => said, soon).toEqual(['leads', 'resigned', 'leads']);
  await stop();
});

test('a leader that fails to start reports it and releases the lock, for another or its next try', async () => {
  const first = contend('first', { fails: 1 });
  await expect.poll(() => first.errors.map(String), soon).toEqual(['Error: first cannot begin']);
  await expect.poll(() => leading, soon).toEqual(['first']);
});

test('an unreachable database is reported, and stop does not wait for it', async () => {
  const errors: unknown[] = [];
  const { stop } = runForLeader({ ...database.connection, database: 'nowhere' }, KEY, {
    duty: 'test',
    lead: () => Promise.reject(new Error('must not lead')),
    error: (error) => errors.push(error),
    log,
  });
  await expect.poll(() => String(errors[0]), soon).toContain('"nowhere" does not exist');
  await stop();
  expect(errors).toHaveLength(1);
});

describe('a stale leader', () => {
  const QUICK = { retryMs: 50, beatMs: 50, resignMs: 300, silentMs: 500 };
  /** Never sends a heartbeat, like a suspended process. */
  const MUTE = { ...QUICK, beatMs: 60_000 };
  const write = async (fence: Fence | undefined, work: () => Promise<unknown> = async () => undefined) =>
    database.db.transaction().execute(async (tx) => {
      await fence?.(tx);
      await work();
    });

  test('a silent one is cut off by a contender, and its later writes are rejected', async () => {
    const first = contend('first', { timing: MUTE });
    await expect.poll(() => leading, soon).toEqual(['first']);
    await write(first.fence());
    const second = contend('second', { timing: QUICK });
    await expect.poll(() => past, soon).toContain('second');
    await expect(write(first.terms[0])).rejects.toThrow(LeadershipLostError);
    await write(second.fence());
    expect(first.errors).toEqual([]);
  });

  test('one that sends heartbeats is not', async () => {
    contend('first', { timing: QUICK });
    await expect.poll(() => leading, soon).toEqual(['first']);
    contend('second', { timing: QUICK });
    const ledMs = async () => {
      const { rows } = await admin.query<{ ms: number }>(
        'select extract(epoch from beat_at - taken_at)::float * 1000 as ms from leaders',
      );
      return rows[0]?.ms;
    };
    await expect.poll(ledMs, soon).toBeGreaterThan(QUICK.silentMs * 2);
    expect(past).toEqual(['first']);
  });

  test('a leader that cannot send heartbeats resigns', async () => {
    contend('first', { timing: QUICK });
    await expect.poll(() => leading, soon).toEqual(['first']);
    await admin.query('begin');
    await admin.query('select from leaders for update');
    await expect.poll(() => leading, soon).toEqual([]);
    await admin.query('rollback');
    await expect.poll(() => leading, soon).toEqual(['first']);
  });

  test('no takeover happens during its writes', async () => {
    const first = contend('first', { timing: QUICK });
    await expect.poll(() => leading, soon).toEqual(['first']);
    const second = contend('second', { timing: QUICK });
    await write(first.fence(), async () => {
      void first.stop();
      await expect.poll(() => leading, soon).toEqual([]);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await admin.query(waiting)).rowCount, soon).toBe(1);
      expect(second.terms).toHaveLength(0);
    });
    await expect.poll(() => leading, soon).toEqual(['second']);
  });

  test('the leader is recorded: the process, and the connection that holds the lock', async () => {
    contend('first');
    await expect.poll(() => leading, soon).toEqual(['first']);
    const { rows } = await admin.query(
      `select epoch::int, process, backend = any (select pid from pg_locks where locktype = 'advisory' and granted) as holds
       from leaders where key = $1`,
      [KEY],
    );
    expect(rows).toEqual([{ epoch: 1, process: `${hostname()}, process ${process.pid}`, holds: true }]);
  });
});
