import { openDatabase } from '#kernel/db.ts';

import { type Benchmark, type Context, median } from './benchmark.ts';
import { addRows } from './exports-load.ts';
import { addNotice, addSubscribers } from './notifications-subscribers.ts';
import { sleep } from './support/browser.ts';
import { createTempFolder, startChild } from './support/child.ts';
import { closeConnections, measureP99 } from './support/dashboard-p99.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const PATH = '/api/stream?topics=prices,market';
const CONNECT_LIMIT_MS = 60_000;

type StreamTotals = { received: number; closed: number };

async function run(context: Context): Promise<void> {
  const [n, rows, users, rounds, ms] = context.ci
    ? [1000, 200_000, 10_000, 3, 1600]
    : [10_000, 1_000_000, 100_000, 5, 4000];
  const connection = await startFilledDatabase(context);
  await addRows(connection, rows);
  const sink = await startChild('push-sink.ts');
  context.cleanUp(() => sink.stop());
  context.cleanUp(closeConnections);
  const origin = `http://127.0.0.1:${await sink.call<number>('listen')}`;
  const server = await startProduct(context, connection, {
    env: { EXPORTS_DIR: createTempFolder(context), PUSH_TEST_ORIGIN: origin },
  });
  const { db, close } = openDatabase(connection, () => undefined, 2);
  context.cleanUp(close);
  await addSubscribers(db, origin, users);
  const clients = await startChild('stream-clients.ts');
  context.cleanUp(() => clients.stop());

  await measureP99(server.port, ms);
  const idleLatencies: number[] = [];
  for (let round = 0; round < rounds; round++) idleLatencies.push(await measureP99(server.port, ms));

  await clients.call('connect', { port: server.port, path: PATH, clients: n });
  const deadline = performance.now() + CONNECT_LIMIT_MS;
  while ((await server.call<number>('clients')) < n && performance.now() < deadline) await sleep(50);
  const connected = await server.call<number>('clients');
  if (connected < n) throw new Error(`Only ${connected} of ${n} connections were taken`);
  await clients.call('reset');
  const frames = await server.call<number>('framesPublished');
  await server.call('startTicks', 1);
  const loadedLatencies: number[] = [];
  let pushRounds = 0;
  for (let round = 0; round < rounds; round++) {
    await addNotice(db, round);
    await server.call('startDelivering');
    await server.call('startExporting');
    while ((await server.call<number>('exportsUnderWay')) === 0) await sleep(20);
    loadedLatencies.push(await measureP99(server.port, ms));
    await server.call('stopDelivering');
    pushRounds += await server.call<number>('stopExporting');
  }
  await server.call('stopTicks');
  const sent = ((await server.call<number>('framesPublished')) - frames) * n;
  const { received, closed } = await clients.call<StreamTotals>('collect', sent, 10_000, []);
  const pushesReceived = await sink.call<number>('taken');
  context.note(
    `${pushRounds} exports of ${rows} rows ended, ${pushesReceived} notices were pushed, ${closed} connections were lost`,
  );

  context.emit({
    name: 'crowd.connections',
    n,
    unit: 'ms, p99 of the dashboard',
    subject: median(loadedLatencies),
    baseline: median(idleLatencies),
    ratio: median(loadedLatencies) / median(idleLatencies),
    goal: { atMost: 3 },
  });
  context.emit({
    name: 'crowd.connections.open',
    n,
    unit: 'connections',
    subject: connected - closed,
    baseline: n,
    ratio: (connected - closed) / n,
    goal: { atLeast: 1 },
    slack: 0,
  });
  context.emit({
    name: 'crowd.connections.delivered',
    n,
    unit: 'frames of prices',
    subject: received,
    baseline: sent,
    ratio: received / sent,
    goal: { atLeast: 1 },
    slack: 0,
  });
}

export const crowdConnections: Benchmark = { names: ['crowd.connections'], run };
