import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';

import { DEMO_ACCOUNTS } from '#features/accounts/server/auth/service.ts';
import { type Db, openDatabase } from '#kernel/db.ts';

import { createRandom } from './alerts-rules.ts';
import { type Benchmark, type Context, median } from './benchmark.ts';
import { addRows } from './exports-load.ts';
import { addNotice, addSubscribers } from './notifications-subscribers.ts';
import { createTempFolder, startChild } from './support/child.ts';
import { type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const SAMPLE_COUNT = 30;
/** Memory allocated at the first use of a part is not a leak. */
const WARM_UP_SHARE = 0.15;
const SETTLE_MS = 60_000;
const STREAMS = 40;
const ROWS = 50_000;
const USER_COUNT = 2000;
/** Fewer than the limit of sign-ins per account from unknown networks: each network is known from then on. */
const NETWORKS = 40;
const PATHS = [
  '/',
  '/app',
  '/plans',
  '/status',
  '/api/dashboard',
  '/api/prices',
  '/api/alerts',
  '/api/inflation',
  '/api/events',
  '/api/health',
  '/api/coins/bitcoin/candles?range=24h',
  '/api/history/ONCHAIN?limit=50',
  '/api/v1/market-data',
  '/no-such-page',
];

type Memory = { rss: number; heapUsed: number; external: number };
type HeldResources = Record<string, number>;
type ActionCounts = Record<'requests' | 'streams' | 'signIns' | 'notices' | 'exports', number>;

const MB = 1024 ** 2;
const account = DEMO_ACCOUNTS.find(({ plan }) => plan === 'pro');

/** Runs every kind of user activity concurrently until stopped; continues the counters of an earlier run. */
function startLoad(server: ProductProcess, db: Db, random: () => number, before?: ActionCounts) {
  const errorCounts = new Map<string, number>();
  const recordError = (what: string) => void errorCounts.set(what, (errorCounts.get(what) ?? 0) + 1);
  const base = `http://127.0.0.1:${server.port}`;
  const actionCounts: ActionCounts = { requests: 0, streams: 0, signIns: 0, notices: 0, exports: 0 };
  const abortController = new AbortController();
  const { signal } = abortController;
  const fetchText = async (
    path: string,
    { expected, ...init }: RequestInit & { expected?: number } = {},
  ): Promise<string> => {
    const response = await fetch(`${base}${path}`, init);
    const body = await response.text();
    actionCounts.requests++;
    const { status } = response;
    if (expected ? status !== expected : status >= 500) recordError(`${path} ${status}: ${body.slice(0, 200)}`);
    return body;
  };
  const runRequests = async () => {
    for (let turn = 0; !signal.aborted; turn++) {
      await fetchText(PATHS[turn % PATHS.length] as string);
      await sleep(10);
    }
  };
  const runStreams = async () => {
    while (!signal.aborted) {
      const lifetimeMs = 200 + random() * 4000;
      await new Promise<void>((done) => {
        const call = get(`${base}/api/stream?topics=prices,market`, { agent: false }, (response) => {
          if (response.statusCode !== 200) recordError(`a stream: ${response.statusCode}`);
          response.resume();
        });
        call.once('close', done).on('error', () => undefined);
        setTimeout(() => call.destroy(), lifetimeMs);
      });
      actionCounts.streams++;
    }
  };
  const runSignIns = async () => {
    const { email = '', password = '' } = account ?? {};
    for (; !signal.aborted; actionCounts.signIns++) {
      const forwardedFor = {
        'x-forwarded-for': `10.7.${((before?.signIns ?? 0) + actionCounts.signIns) % NETWORKS}.7`,
      };
      const headers = { 'content-type': 'application/json', ...forwardedFor };
      const body = JSON.stringify({ email, password });
      const answer = await fetchText('/api/auth/login', { method: 'POST', headers, body, expected: 200 });
      const { token } = JSON.parse(answer) as { token?: string };
      const authenticated = { headers: { ...forwardedFor, authorization: `Bearer ${token}` }, expected: 200 };
      await fetchText('/api/auth/user', authenticated);
      await fetchText('/api/auth/logout', { method: 'POST', ...authenticated });
      await sleep(300);
    }
  };
  const runNotices = async () => {
    for (; !signal.aborted; actionCounts.notices++) {
      await addNotice(db, (before?.notices ?? 0) + actionCounts.notices);
      await server.call('startDelivering');
      await sleep(1000);
      await server.call('stopDelivering');
    }
  };
  const runExports = async () => {
    while (!signal.aborted) {
      await server.call('startExporting');
      await sleep(2000);
      actionCounts.exports += await server.call<number>('stopExporting');
      await sleep(1000);
    }
  };
  const ended = Promise.all([
    server.call('startTicks', 1),
    runRequests(),
    runRequests(),
    ...Array.from({ length: STREAMS }, runStreams),
    runSignIns(),
    runNotices(),
    runExports(),
  ]);
  return {
    acts: actionCounts,
    wrong: errorCounts,
    async end() {
      abortController.abort();
      await ended;
      await server.call('stopTicks');
    },
  };
}

/** Connections of the product to its database. */
async function countConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Growth over the baseline, after time for releases. Kinds that decreased count as zero. */
async function waitUntilReleased(
  measureHeld: () => Promise<HeldResources>,
  base: HeldResources,
): Promise<HeldResources> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await measureHeld();
    const growth = Object.entries(now).map(([kind, count]): [string, number] => [kind, count - (base[kind] ?? 0)]);
    const unreleased = Object.fromEntries(growth.filter(([, count]) => count > 0));
    if (Object.keys(unreleased).length === 0 || performance.now() > end) return unreleased;
    await sleep(500);
  }
}

/** A mixed load for this long; memory after a forced collection must be stable, and no resources may be retained. */
export async function soakFor(context: Context, seconds: number): Promise<void> {
  const connection = await startFilledDatabase(context);
  await addRows(connection, ROWS);
  const sink = await startChild('push-sink.ts');
  context.cleanUp(() => sink.stop());
  const origin = `http://127.0.0.1:${await sink.call<number>('listen')}`;
  const server = await startProduct(context, connection, {
    env: { EXPORTS_DIR: createTempFolder(context), PUSH_TEST_ORIGIN: origin, TRUST_PROXY: '1' },
  });
  const { db, close } = openDatabase(connection, () => undefined, 1);
  context.cleanUp(close);
  await addSubscribers(db, origin, USER_COUNT);
  await signIn(server.port);
  const { next } = createRandom(7);

  const warmUp = startLoad(server, db, next);
  await sleep(Math.max(8000, seconds * 1000 * WARM_UP_SHARE));
  await warmUp.end();
  const measureHeld = async () => ({
    ...(await server.call<HeldResources>('held')),
    streams: await server.call<number>('clients'),
    connections: await countConnections(db),
  });
  // Keep-alive connections are not part of the baseline.
  await sleep(12_000);
  const base = await measureHeld();

  const load = startLoad(server, db, next, warmUp.acts);
  const samples: Memory[] = [];
  for (let i = 0; i < SAMPLE_COUNT; i++) {
    await sleep((seconds * 1000) / SAMPLE_COUNT);
    samples.push(await server.call<Memory>('heap'));
  }
  await load.end();
  const unreleased = await waitUntilReleased(measureHeld, base);
  const { acts: actionCounts, wrong: errorCounts } = load;
  context.note(
    `${seconds} s: ${actionCounts.requests} requests, ${actionCounts.streams} streams, ${actionCounts.signIns} sign-ins, ${actionCounts.notices} alerts, ${actionCounts.exports} exports; held at first: ${JSON.stringify(base)}, more at the end: ${JSON.stringify(unreleased)}`,
  );

  for (const [what, count] of errorCounts) context.note(`${count} times ${what}`);
  const errors = [...errorCounts.values()].reduce((sum, count) => sum + count, 0);

  const series = (key: keyof Memory) => samples.map((sample) => Math.round(sample[key] / MB)).join(' ');
  context.note(
    `MB of heap: ${series('heapUsed')}, outside it: ${series('external')}, of the process: ${series('rss')}`,
  );

  const third = SAMPLE_COUNT / 3;
  const [firstThird, lastThird] = [samples.slice(0, third), samples.slice(-third)];
  for (const [key, atMost] of [
    ['heapUsed', 1.1],
    ['external', 1.25],
    ['rss', 1.15],
  ] as const) {
    const medianMb = (part: Memory[]) => median(part.map((sample) => sample[key] / MB));
    context.emit({
      name: `soak.${key}`,
      n: seconds,
      unit: 'MB, last third over first',
      subject: medianMb(lastThird),
      baseline: medianMb(firstThird),
      ratio: medianMb(lastThird) / medianMb(firstThird),
      goal: { atMost },
      slack: 0,
    });
  }
  const unreleasedCount = Object.values(unreleased).reduce((sum, count) => sum + count, 0);
  context.emit({
    name: 'soak.left',
    n: seconds,
    unit: 'sockets, streams, listeners, connections',
    subject: unreleasedCount,
    ratio: unreleasedCount,
    goal: { atMost: 0 },
    slack: 0,
  });
  context.emit({
    name: 'soak.wrong',
    n: actionCounts.requests,
    unit: 'answers of 5xx, lost streams, refused sign-ins',
    subject: errors,
    ratio: errors,
    goal: { atMost: 0 },
    slack: 0,
  });
}

export const soak: Benchmark = { names: ['soak'], run: (context) => soakFor(context, context.ci ? 120 : 600) };
