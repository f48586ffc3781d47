import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { publishQuotes, readAlerts, rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { SECRET_KEY } from '#tests/support/start.ts';

/** The locks a batch waits for, in order: its shard, its alert ids, its frames. */
const SHARD = 'select 1 from alert_shards for update';
const ALERTS = 7_246_011;
const FRAMES = 7_246_002;

const s = fileProduct({ at: new Date() }, 'market.listing');
let ann: TestUser;
let names = 0;

const running = new Set<ChildProcess>();
const db = () => s.product.market.ctx.db;

beforeEach(async () => {
  ann = await registerUser(s, `ann-${names++}`, 'premium');
  await publishQuotes(s, { bitcoin: 80_000 });
});
afterEach(async () => {
  for (const child of running) await kill(child);
});

/** A separate process that evaluates the rules of the database. */
async function owner(): Promise<ChildProcess> {
  const epoch = async () => (await db().selectFrom('alert_shards').select('epoch').executeTakeFirst())?.epoch ?? 0;
  const before = await epoch();
  const env = { ...process.env, ...s.sandbox.urls, DATA_MODE: 'live', SECRET_KEY };
  const child = spawn(process.execPath, ['tests/support/owner-process.ts', JSON.stringify(s.connection)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  await expect.poll(epoch, { timeout: 30_000 }).toBeGreaterThan(before);
  return child;
}
/** On which side of its level the value is, as stored. */
const level = async () =>
  (await db().selectFrom('alert_rules').select('first_on').where('user_id', '=', ann.id).executeTakeFirst())?.first_on;

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function holder() {
  const client = new Client(s.connection);
  await client.connect();
  return {
    hold: (lock: number) => client.query('select pg_advisory_lock($1)', [lock]),
    release: (lock: number) => client.query('select pg_advisory_unlock($1)', [lock]),
    holdShard: () => client.query(`begin; ${SHARD}`),
    end: () => client.end(),
  };
}
const waiting = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'meridian'`.execute(db());
  return rows[0]?.n;
};
const until = (n: number) => expect.poll(waiting, { timeout: 30_000, interval: 50 }).toBe(n);

const told = async () => {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from alerts where user_id = ${ann.id}) as alerts,
    (select count(*) from notification_events where user_id = ${ann.id}) as events,
    (select count(*) from live_frames where user_id = ${ann.id}) as frames,
    (select sum(fires) from alert_rules where user_id = ${ann.id}) as fires`.execute(db());
  return rows[0];
};
const NOTHING = { alerts: 0, events: 0, frames: 0, fires: 0 };
const ONCE = { alerts: 1, events: 1, frames: 1, fires: 1 };

type Locks = Awaited<ReturnType<typeof holder>>;

const STEPS: [what: string, hold: (locks: Locks) => Promise<unknown>, goOn: (locks: Locks) => Promise<unknown>][] = [
  ['before anything is written', (locks) => locks.holdShard(), () => Promise.resolve()],
  ['between its states and its alerts', (locks) => locks.hold(ALERTS), () => Promise.resolve()],
  [
    'between its alerts and its frames',
    (locks) => locks.hold(ALERTS),
    async (locks) => {
      await locks.hold(FRAMES);
      await locks.release(ALERTS);
      await expect
        .poll(async () => {
          const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks
            where locktype = 'advisory' and objid = ${FRAMES} and not granted`.execute(db());
          return rows[0]?.n;
        })
        .toBe(1);
    },
  ],
];
test.each(STEPS)(
  'killed %s: alerted once, by the next owner',
  async (_, hold, goOn) => {
    const first = await owner();
    await rulesApi(s, ann).add(rule({ value: 90_000 }));
    await publishQuotes(s, { bitcoin: 81_000 });
    const locks = await holder();
    await hold(locks);
    await publishQuotes(s, { bitcoin: 90_500 });
    await until(1);
    await goOn(locks);
    await kill(first);
    await locks.end();
    await expect.poll(told).toEqual(NOTHING);
    await owner();
    await expect.poll(told, { timeout: 10_000 }).toEqual(ONCE);
    await publishQuotes(s, { bitcoin: 90_600 });
    await publishQuotes(s, { bitcoin: 80_000 });
    await expect.poll(level).toBe(1);
    expect(await told()).toEqual(ONCE);
  },
  240_000,
);

test('killed after the commit: the next owner does not alert again', async () => {
  const first = await owner();
  await rulesApi(s, ann).add(rule({ value: 90_000 }));
  await publishQuotes(s, { bitcoin: 90_500 });
  await expect.poll(async () => (await readAlerts(s, ann.id)).length, { timeout: 10_000, interval: 5 }).toBe(1);
  await kill(first);
  await owner();
  await publishQuotes(s, { bitcoin: 90_501 });
  await publishQuotes(s, { bitcoin: 80_000 });
  await expect.poll(level).toBe(1);
  expect(await told()).toEqual(ONCE);
}, 240_000);
