import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';

import { DEMO_ACCOUNTS } from '#features/accounts/server/auth/service.ts';
import { type Db, openDatabase } from '#kernel/db.ts';

import { createRandom } from './alerts-rules.ts';
import { type Benchmark, type Context, median } from './benchmark.ts';
import { addRows } from './exports-load.ts';
import { addNotice, addSubscribers } from './notifications-subscribers.ts';
import { makeTemporaryFolder, startChild } from './support/child.ts';
import { type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const SAMPLES = 30;
/** Memory allocated at the first use of a part is not a leak. */
const WARM_UP_SHARE = 0.15;
const SETTLE_MS = 60_000;
const STREAMS = 40;
const ROWS = 50_000;
const PEOPLE = 2000;
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
type Held = Record<string, number>;
type Acts = Record<'requests' | 'streams' | 'signIns' | 'notices' | 'exports', number>;

const MB = 1024 ** 2;
const account = DEMO_ACCOUNTS.find(({ plan }) => plan === 'pro');

/** Runs every kind of user activity concurrently until stopped; continues the counters of an earlier run. */
function beginLoad(server: ProductProcess, db: Db, random: () => number, before?: Acts) {
  const wrong = new Map<string, number>();
  const note = (what: string) => void wrong.set(what, (wrong.get(what) ?? 0) + 1);
  const base = `http://127.0.0.1:${server.port}`;
  const acts: Acts = { requests: 0, streams: 0, signIns: 0, notices: 0, exports: 0 };
  const ending = new AbortController();
  const { signal } = ending;
  const ask = async (
    path: string,
    { expected, ...init }: RequestInit & { expected?: number } = {},
  ): Promise<string> => {
    const response = await fetch(`${base}${path}`, init);
    const body = await response.text();
    acts.requests++;
    const { status } = response;
    if (expected ? status !== expected : status >= 500) note(`${path} ${status}: ${body.slice(0, 200)}`);
    return body;
  };
  const asking = async () => {
    for (let turn = 0; !signal.aborted; turn++) {
      await ask(PATHS[turn % PATHS.length] as string);
      await sleep(10);
    }
  };
  const streaming = async () => {
    while (!signal.aborted) {
      const lives = 200 + random() * 4000;
      await new Promise<void>((done) => {
        const call = get(`${base}/api/stream?topics=prices,market`, { agent: false }, (response) => {
          if (response.statusCode !== 200) note(`a stream: ${response.statusCode}`);
          response.resume();
        });
        call.once('close', done).on('error', () => undefined);
        setTimeout(() => call.destroy(), lives);
      });
      acts.streams++;
    }
  };
  const signingIn = async () => {
    const { email = '', password = '' } = account ?? {};
    for (; !signal.aborted; acts.signIns++) {
      const from = { 'x-forwarded-for': `10.7.${((before?.signIns ?? 0) + acts.signIns) % NETWORKS}.7` };
      const headers = { 'content-type': 'application/json', ...from };
      const body = JSON.stringify({ email, password });
      const answer = await ask('/api/auth/login', { method: 'POST', headers, body, expected: 200 });
      const { token } = JSON.parse(answer) as { token?: string };
      const asPerson = { headers: { ...from, authorization: `Bearer ${token}` }, expected: 200 };
      await ask('/api/auth/user', asPerson);
      await ask('/api/auth/logout', { method: 'POST', ...asPerson });
      await sleep(300);
    }
  };
  const telling = async () => {
    for (; !signal.aborted; acts.notices++) {
      await addNotice(db, (before?.notices ?? 0) + acts.notices);
      await server.call('startDelivering');
      await sleep(1000);
      await server.call('stopDelivering');
    }
  };
  const exporting = async () => {
    while (!signal.aborted) {
      await server.call('startExporting');
      await sleep(2000);
      acts.exports += await server.call<number>('stopExporting');
      await sleep(1000);
    }
  };
  const ended = Promise.all([
    server.call('startTicks', 1),
    asking(),
    asking(),
    ...Array.from({ length: STREAMS }, streaming),
    signingIn(),
    telling(),
    exporting(),
  ]);
  return {
    acts,
    wrong,
    async end() {
      ending.abort();
      await ended;
      await server.call('stopTicks');
    },
  };
}

/** Connections of the product to its database. */
async function connectionsOf(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Growth over the baseline, after time for releases. Kinds that decreased count as zero. */
async function untilSettled(look: () => Promise<Held>, base: Held): Promise<Held> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await look();
    const more = Object.entries(now).map(([kind, count]): [string, number] => [kind, count - (base[kind] ?? 0)]);
    const left = Object.fromEntries(more.filter(([, count]) => count > 0));
    if (Object.keys(left).length === 0 || performance.now() > end) return left;
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
    env: { EXPORTS_DIR: makeTemporaryFolder(context), PUSH_TEST_ORIGIN: origin, TRUST_PROXY: '1' },
  });
  const { db, close } = openDatabase(connection, () => undefined, 1);
  context.cleanUp(close);
  await addSubscribers(db, origin, PEOPLE);
  await signIn(server.port);
  const { next } = createRandom(7);

  const first = beginLoad(server, db, next);
  await sleep(Math.max(8000, seconds * 1000 * WARM_UP_SHARE));
  await first.end();
  const look = async () => ({
    ...(await server.call<Held>('held')),
    streams: await server.call<number>('clients'),
    connections: await connectionsOf(db),
  });
  // Keep-alive connections are not part of the baseline.
  await sleep(12_000);
  const base = await look();

  const load = beginLoad(server, db, next, first.acts);
  const samples: Memory[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    await sleep((seconds * 1000) / SAMPLES);
    samples.push(await server.call<Memory>('heap'));
  }
  await load.end();
  const left = await untilSettled(look, base);
  const { acts, wrong } = load;
  context.note(
    `${seconds} s: ${acts.requests} requests, ${acts.streams} streams, ${acts.signIns} sign-ins, ${acts.notices} alerts, ${acts.exports} exports; held at first: ${JSON.stringify(base)}, more at the end: ${JSON.stringify(left)}`,
  );

  for (const [what, count] of wrong) context.note(`${count} times ${what}`);
  const errors = [...wrong.values()].reduce((sum, count) => sum + count, 0);

  const series = (key: keyof Memory) => samples.map((sample) => Math.round(sample[key] / MB)).join(' ');
  context.note(
    `MB of heap: ${series('heapUsed')}, outside it: ${series('external')}, of the process: ${series('rss')}`,
  );

  const third = SAMPLES / 3;
  const [early, late] = [samples.slice(0, third), samples.slice(-third)];
  for (const [key, atMost] of [
    ['heapUsed', 1.1],
    ['external', 1.25],
    ['rss', 1.15],
  ] as const) {
    const middle = (part: Memory[]) => median(part.map((sample) => sample[key] / MB));
    context.emit({
      name: `soak.${key}`,
      n: seconds,
      unit: 'MB, last third over first',
      subject: middle(late),
      baseline: middle(early),
      ratio: middle(late) / middle(early),
      goal: { atMost },
      slack: 0,
    });
  }
  const held = Object.values(left).reduce((sum, count) => sum + count, 0);
  context.emit({
    name: 'soak.left',
    n: seconds,
    unit: 'sockets, streams, listeners, connections',
    subject: held,
    ratio: held,
    goal: { atMost: 0 },
    slack: 0,
  });
  context.emit({
    name: 'soak.wrong',
    n: acts.requests,
    unit: 'answers of 5xx, lost streams, refused sign-ins',
    subject: errors,
    ratio: errors,
    goal: { atMost: 0 },
    slack: 0,
  });
}

export const soak: Benchmark = { names: ['soak'], run: (context) => soakFor(context, context.ci ? 120 : 600) };
