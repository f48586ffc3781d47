import { openDatabase } from '#kernel/db.ts';

import { addRules } from './alerts-owner.ts';
import type { Benchmark, Context } from './benchmark.ts';
import { fillTo } from './history-size.ts';
import { makeKey } from './http-v1.ts';
import { sleep } from './support/browser.ts';
import { startChild, startDatabases } from './support/child.ts';
import { fillDatabase, type ProductProcess, signIn, startFilledDatabase, startProduct } from './support/product.ts';

const STREAM = '/api/stream?topics=prices';
/** Frames per second, each with all coins: twice the rate of the product. */
const FRAMES_PER_SECOND = 2;
/** The largest relative move per frame; a few rules fire. */
const PRICE_STEP = 0.0005;
const SETTLE_MS = 1500;
const ENV = { API_CALLS_PER_DAY_PRO: '1000000000', API_BURST_PER_SECOND: '0' };

type Reading = { cpuShare: number; rssMb: number };

/** Share of a core over `ms`, in percent, and memory afterwards. */
async function takeReading(server: ProductProcess, ms: number): Promise<Reading> {
  const before = await server.call<number>('cpuUs');
  await sleep(ms);
  const cpuUsed = (await server.call<number>('cpuUs')) - before;
  return { cpuShare: cpuUsed / ms / 10, rssMb: (await server.call<number>('rssBytes')) / 1024 ** 2 };
}

/** Increases viewers and rules tenfold at a time, in one process that publishes the same frames throughout. */
async function measureUsers(context: Context, ms: number): Promise<void> {
  const connection = await startFilledDatabase(context);
  const server = await startProduct(context, connection, { frozen: true, env: ENV });
  const clients = await startChild('stream-clients.ts');
  context.cleanUp(() => clients.stop());
  const { db, close } = openDatabase(connection, () => undefined, 1);
  context.cleanUp(close);
  await server.call('startTicks', FRAMES_PER_SECOND, PRICE_STEP);
  await sleep(SETTLE_MS);
  const emit = (name: string, n: number, unit: string, subject: number) =>
    context.emit({ name, n, unit, subject, ratio: subject });
  let lastReading = await takeReading(server, ms);
  let [viewers, rules] = [0, 0];
  context.note(`no viewers: ${lastReading.cpuShare.toFixed(1)}% of a core, ${lastReading.rssMb.toFixed(0)} MB`);

  async function addViewers(n: number): Promise<void> {
    const [before, added] = [lastReading, n - viewers];
    await clients.call('connect', { port: server.port, path: STREAM, clients: n });
    while ((await server.call<number>('clients')) < n) await sleep(20);
    await sleep(SETTLE_MS);
    lastReading = await takeReading(server, ms);
    viewers = n;
    emit('cost.viewers.cpu', n, '% of a core per 1,000', ((lastReading.cpuShare - before.cpuShare) / added) * 1000);
    emit('cost.viewers.memory', n, 'MB per 1,000', ((lastReading.rssMb - before.rssMb) / added) * 1000);
  }

  async function addRulesUpTo(n: number): Promise<void> {
    const [before, added] = [lastReading, n - rules];
    await addRules(db, rules + 1, n, await server.call<{ btc: number; eth: number }>('prices'));
    await server.call('ownRules');
    await sleep(SETTLE_MS);
    lastReading = await takeReading(server, ms);
    rules = n;
    emit('cost.rules.cpu', n, '% of a core per 10,000', ((lastReading.cpuShare - before.cpuShare) / added) * 10_000);
    emit('cost.rules.memory', n, 'MB per 10,000', ((lastReading.rssMb - before.rssMb) / added) * 10_000);
  }

  for (const n of [100, 1000]) await addViewers(n);
  for (const n of [1000, 10_000]) await addRulesUpTo(n);
  const { cpuShare, rssMb } = lastReading;
  context.emit({
    name: 'cost.together.cpu',
    n: viewers,
    unit: '% of a core',
    subject: cpuShare,
    ratio: cpuShare,
    goal: { atMost: 25 },
  });
  context.emit({
    name: 'cost.together.memory',
    n: viewers,
    unit: 'MB',
    subject: rssMb,
    ratio: rssMb,
    goal: { atMost: 300 },
  });
  if (!context.ci) {
    await addRulesUpTo(100_000);
    await addViewers(10_000);
  }
  await server.call('stopTicks');

  const key = await makeKey(server.port, await signIn(server.port));
  const client = await startChild('http-load.ts');
  context.cleanUp(() => client.stop());
  const headers = { 'x-api-key': key, 'accept-encoding': 'br' };
  await client.call('open', { port: server.port, path: '/api/v1/market-data', status: 200, headers, connections: 16 });
  await client.call('count', 250);
  for (const span of [ms / 50, ms / 5, ms]) {
    const before = await server.call<number>('cpuUs');
    const { requests } = await client.call<{ requests: number }>('count', span);
    const cpuUsed = (await server.call<number>('cpuUs')) - before;
    emit('cost.calls.cpu', requests, 'CPU s per 1,000', cpuUsed / requests / 1000);
  }
}

/** Disk space per stored observation, including indexes. */
async function measureRowSize(context: Context): Promise<void> {
  const makeDatabase = await startDatabases(context);
  for (const size of context.ci ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]) {
    const connection = await makeDatabase(`rows_${size}`);
    await fillDatabase(connection);
    const { rows, bytes } = await fillTo(connection, size);
    const subject = bytes / rows;
    context.emit({ name: 'cost.rows.disk', n: rows, unit: 'MB per million', subject, ratio: subject });
  }
}

/**
 * Cost of viewers, rules, API calls and stored rows per unit, over three decades: a constant value means linear growth.
 */
export const cost: Benchmark = {
  names: ['cost'],
  async run(context) {
    await measureUsers(context, context.ci ? 4000 : 10_000);
    await measureRowSize(context);
  },
};
