import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { type Cluster, startCluster } from '#tests/support/cluster/processes.ts';
import { COMPILED } from '#tests/support/compiled.ts';
import { dataDir, sandbox, useProcesses, waitForCollection } from '#tests/support/processes.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const EVERY_MS = 50;
const PASSWORD = 'Three-Rivers-29!';

let database: TestDatabase;
let client: Client;
let cluster: Cluster;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new Client(database.connection);
  await client.connect();
});
// Registered before the processes, so it runs after they have ended.
afterEach(async () => {
  await client.end();
  await database.drop();
});
useProcesses();
afterEach(() => cluster.stop());

function addressOf(name: string): string {
  const { host, port, user, password } = inject('testServer').connection;
  const address = new URL(`postgres://localhost:${port}/${name}`);
  address.username = user;
  address.password = password;
  address.searchParams.set('host', host);
  return address.href;
}

type Answer = { status: number; by: string; body: string };

/** Sequential requests over keep-alive connections, like browsers and other proxies. */
function asking(agent: Agent, token: string) {
  return (method: string, path: string, body?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
      const call = request(`${cluster.url}${path}`, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, by: String(response.headers['x-served-by']), body: text }),
        );
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body ? JSON.stringify(body) : undefined);
    });
}

/** The stream of a page: it reconnects automatically with its last event id. */
function following(path: string): {
  ids: () => number[];
  breaks: () => number;
  resets: () => number;
  close: () => void;
} {
  const past: Reader[] = [];
  const over = new AbortController();
  const messages = () => past.flatMap((reader) => reader.messages());
  const go = (async () => {
    while (!over.signal.aborted) {
      const last = messages().at(-1)?.id;
      const reader = await openReader(`${cluster.url}${path}`, last ? { 'last-event-id': last } : {}).catch(() => null);
      if (reader?.response.statusCode === 200) {
        past.push(reader);
        while (!over.signal.aborted && !reader.ended()) await sleep(20);
      }
      reader?.close();
      await sleep(100);
    }
  })();
  void go;
  return {
    ids: () => messages().flatMap(({ id, event }) => (event === 'reset' ? [] : [Number(id)])),
    breaks: () => past.length - 1,
    resets: () => messages().filter(({ event }) => event === 'reset').length,
    close: () => over.abort(),
  };
}

test('rolling restart of each process: no request fails, and every stream gets every message once', async () => {
  const env = {
    PATH: process.env['PATH'],
    ...COMPILED,
    ...sandbox.urls,
    DATA_MODE: 'live',
    DATABASE_URL: addressOf(database.connection.database),
    DATA_DIR: dataDir,
    SECRET_KEY: 'the secret key that these processes share',
  };
  cluster = await startCluster({ env });
  await waitForCollection(cluster.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const made = await asking(agent, '')('POST', '/api/auth/register', {
    email: 'ann@crowd.example',
    password: PASSWORD,
  });
  const ask = asking(agent, (JSON.parse(made.body) as { token: string }).token);

  const answers: Answer[] = [];
  const failures: string[] = [];
  const kinds = [
    () => ask('GET', '/api/dashboard'),
    () => ask('GET', '/api/auth/user'),
    () => ask('POST', '/api/stream/ticket'),
    () => ask('GET', '/app'),
  ];
  const over = new AbortController();
  const underWay: Promise<void>[] = [];
  const load = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const kind = kinds[i % kinds.length] as () => Promise<Answer>;
      underWay.push(
        kind().then(
          (answer) => void answers.push(answer),
          (error: Error) => void failures.push(`${Math.round(performance.now())} ${String(error)}`),
        ),
      );
      await sleep(EVERY_MS);
    }
    await Promise.all(underWay);
  })();
  const streams = Array.from({ length: 3 }, () => following('/api/stream?topics=prices,market'));
  await expect.poll(() => streams.every(({ ids }) => ids().length > 0), { timeout: 30_000 }).toBe(true);
  const firsts = streams.map(({ ids }) => ids()[0] as number);

  const codes = [];
  for (const role of ['web', 'worker'] as const)
    for (const place of [0, 1]) codes.push(await cluster.restart(role, place));
  const newest = async () =>
    (await client.query<{ id: string }>('select max(id) as id from live_frames where user_id is null')).rows[0]?.id;
  const before = Number(await newest());
  await expect.poll(async () => Number(await newest()), { timeout: 30_000 }).toBeGreaterThan(before + 2);
  const through = Number(await newest());
  await expect.poll(() => streams.every(({ ids }) => (ids().at(-1) ?? 0) >= through), { timeout: 10_000 }).toBe(true);
  over.abort();
  await load;

  expect(failures).toEqual([]);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.length).toBeGreaterThan(100);
  // Both old and both new processes have responded.
  expect(new Set(answers.map(({ by }) => by)).size).toBe(4);

  const { rows } = await client.query<{ id: string }>(
    `select id from live_frames where topic in ('prices', 'market') and user_id is null and id between $1 and $2 order by id`,
    [Math.min(...firsts), through],
  );
  const told = rows.map(({ id }) => Number(id));
  for (const [i, stream] of streams.entries()) {
    const heard = stream.ids().filter((id) => id <= through);
    expect(heard).toEqual(told.filter((id) => id >= (firsts[i] as number)));
    expect(stream.resets()).toBe(0);
    stream.close();
  }
  expect(streams.reduce((sum, { breaks }) => sum + breaks(), 0)).toBeGreaterThan(0);

  // One collector at a time, each with its own epoch, and no job run executed twice at once.
  const leaders = await client.query<{ key: string; epoch: string }>('select key, epoch from leaders order by key');
  expect(leaders.rows.map(({ key }) => Number(key))).toEqual([7_246_010, 7_246_100]);
  expect(leaders.rows.every(({ epoch }) => Number(epoch) >= 2)).toBe(true);
  const locks = await client.query(
    `select objid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
     where locktype = 'advisory' and objid in (7246010, 7246100) and granted`,
  );
  expect(locks.rowCount).toBe(2);
  agent.destroy();
  expect(codes).toEqual([0, 0, 0, 0]);
}, 600_000);
