import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { ApiKey } from '#features/api/contract/api-keys.ts';
import { KEYED_READ, makeKey } from '#tests/support/api-fixture.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { SECRET_KEY, start, type TestProduct } from '#tests/support/start.ts';

const LIMIT = 600;
const PROCESSES = 3;
const CLIENTS = 50;
const ENV = { API_CALLS_PER_DAY_PRO: String(LIMIT), API_BURST_PER_SECOND: '0' };
const DAY_MS = 86_400_000;
/** The quota would reset if the day ended during a test. */
const MARGIN_MS = 120_000;

let s: TestProduct;
beforeAll(async () => {
  const toMidnight = DAY_MS - (Date.now() % DAY_MS);
  if (toMidnight < MARGIN_MS) await sleep(toMidnight + 1000);
  s = await start({ at: new Date(), env: ENV });
  await s.job('market.listing');
}, 240_000);
afterAll(() => s.stop());

type Server = { child: ChildProcess; url: string };
const servers: Server[] = [];

async function serve(): Promise<Server> {
  const env = { ...process.env, ...s.sandbox.urls, ...ENV, DATA_MODE: 'live', ROLE: 'web', PORT: '0', SECRET_KEY };
  const child = spawn(process.execPath, ['tests/support/api-process.ts', JSON.stringify(s.connection)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const server = { child, url: `http://127.0.0.1:${/port (\d+)/.exec(String(line))?.[1]}` };
  servers.push(server);
  return server;
}

async function end({ child }: Server, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => end(server, 'SIGTERM')));
});

/**
 * Clients that call without pause, cycling through the processes, until `calls` are answered; returns the count of each
 * status.
 */
async function storm(key: ApiKey, calls: number, onAnswer: (answered: number) => void = () => undefined) {
  const counts = new Map<number, number>();
  let asked = 0;
  let answered = 0;
  async function client(n: number): Promise<void> {
    while (asked < calls) {
      asked += 1;
      const { url } = servers[(n + asked) % servers.length] as Server;
      const status = await fetch(url + KEYED_READ, { headers: { 'x-api-key': key.api_key } }).then(
        (response) => response.arrayBuffer().then(() => response.status),
        () => 0,
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
      answered += 1;
      onAnswer(answered);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  return counts;
}

const dayOf = ({ id }: TestUser) =>
  s.product.auth.ctx.db
    .selectFrom('api_days')
    .select(['spent', 'leased', 'refused'])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
const keyOf = ({ id }: ApiKey) =>
  s.product.auth.ctx.db.selectFrom('api_keys').select('usage_count').where('id', '=', id).executeTakeFirstOrThrow();

test('50 clients over 3 processes: exactly the limit gets 200, the rest 429, and usage_count agrees', async () => {
  const ann = await registerUser(s, 'ann', 'pro');
  const key = await makeKey(ann);
  await Promise.all(Array.from({ length: PROCESSES }, serve));
  const counts = await storm(key, LIMIT + 400);
  expect(Object.fromEntries(counts)).toEqual({ 200: LIMIT, 429: 400 });
  await Promise.all(servers.map((server) => end(server, 'SIGTERM')));
  expect(await dayOf(ann)).toEqual({ spent: LIMIT, leased: 0, refused: 400 });
  expect(await keyOf(key)).toEqual({ usage_count: LIMIT });
}, 180_000);

test('a process killed midway: never exceeds the limit, and loses at most its lease', async () => {
  const bea = await registerUser(s, 'bea', 'pro');
  const key = await makeKey(bea);
  await Promise.all(Array.from({ length: PROCESSES }, serve));
  const counts = await storm(key, LIMIT + 500, (answered) => {
    if (answered === 200) servers.splice(1, 1)[0]?.child.kill('SIGKILL');
  });
  await Promise.all(servers.map((server) => end(server, 'SIGTERM')));
  const { spent, leased } = await dayOf(bea);
  const answered = counts.get(200) ?? 0;
  // Units leased by the killed process stay leased for the day: spent but not recorded, or never spent.
  expect(spent + leased).toBe(LIMIT);
  expect(answered).toBeLessThanOrEqual(LIMIT);
  expect(answered).toBeGreaterThanOrEqual(LIMIT - leased);
  expect(await keyOf(key)).toEqual({ usage_count: spent });
}, 180_000);
