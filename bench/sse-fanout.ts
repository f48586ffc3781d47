import { get } from 'node:http';
import { createGunzip } from 'node:zlib';

import type { pricesTopic } from '#features/market/contract/market.ts';
import type { TopicData } from '#shared/contract.ts';

import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { type Child, startChild } from './support/child.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const SYMBOLS = 250;
const TICKS = 4;
const ROUNDS = 3;
const GAP_MS = 1000;
const PATH = '/api/stream?topics=prices';
const WARM_CLIENTS = 100;

type Collected = { received: number; closed: number; p50Ms: number; p99Ms: number };
type Side = { server: Child; clients: Child; port: number; runs: Collected[]; sent: number };

/** Coins unknown to the board: the frame passes through the whole stream and has no side effects. */
function makeDelta(step: number): TopicData<typeof pricesTopic> {
  const ticks = Array.from({ length: SYMBOLS }, (_, i): [string, number, number, null, number, number] => {
    const change = Math.round(Math.sin(step + i) * 1000) / 100;
    return [`c${i}`, Math.round(40_000 * (1.1 + Math.sin(i * 7 + step))) / 10, change, null, i % 2, 1_795_000 + step];
  });
  return { at: 1_795_000 + step, sources: ['OKX', 'Coinbase'], ticks };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const nowMs = () => performance.timeOrigin + performance.now();

/** Server CPU per frame delivered to a client. */
async function fanOut(side: Side, n: number): Promise<number> {
  await side.clients.call('reset');
  const sentAt: number[] = [];
  const before = await side.server.call<number>('cpuUs');
  for (let tick = 0; tick < TICKS; tick++) {
    sentAt.push(nowMs());
    await side.server.call('publish', makeDelta(tick));
    await sleep(GAP_MS);
  }
  const collected = await side.clients.call<Collected>('collect', n * TICKS, 10_000, sentAt);
  const used = (await side.server.call<number>('cpuUs')) - before;
  side.runs.push(collected);
  side.sent += n * TICKS;
  return used / collected.received;
}

async function connectAll(side: Side, n: number): Promise<void> {
  await side.clients.call('connect', { port: side.port, path: PATH, clients: n });
  for (let i = 0; i < 500 && (await side.server.call<number>('clients')) < n; i++) await sleep(20);
  await sleep(200);
}

async function connectMeasured(side: Side, n: number): Promise<number> {
  await connectAll(side, Math.min(n, WARM_CLIENTS) >> 1);
  const [before, there] = [await side.server.call<number>('rssBytes'), await side.server.call<number>('clients')];
  await connectAll(side, n);
  return ((await side.server.call<number>('rssBytes')) - before) / 1024 / (n - there);
}

/** One reader decodes everything, to verify that the counted frames are correct. */
async function checkOneReader(side: Side): Promise<number> {
  let text = '';
  const request = get({
    port: side.port,
    host: '127.0.0.1',
    path: PATH,
    headers: { 'accept-encoding': 'gzip' },
    agent: false,
  });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
    request.once('response', resolve),
  );
  const gunzip = response.pipe(createGunzip());
  gunzip.on('data', (part: Buffer) => {
    text += part.toString();
  });
  gunzip.on('error', () => undefined);
  await sleep(100);
  const delta = makeDelta(1);
  await side.server.call('publish', delta);
  for (let i = 0; i < 200 && !text.includes('data: '); i++) await sleep(10);
  request.destroy();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  if (data !== JSON.stringify(delta)) throw new Error('The stream does not decode to what was published');
  return Buffer.byteLength(text.slice(text.indexOf('id: ')));
}

async function makeSide(context: Context, server: Child, port: number): Promise<Side> {
  const clients = await startChild('stream-clients.ts');
  context.cleanUp(() => clients.stop());
  return { server, clients, port, runs: [], sent: 0 };
}

async function measure(
  context: Context,
  connection: Awaited<ReturnType<typeof startFilledDatabase>>,
  n: number,
  top: boolean,
) {
  const product = await startProduct(context, connection, { frozen: true });
  const ours = await makeSide(context, product, product.port);
  const naiveServer = await startChild('naive-stream.ts');
  context.cleanUp(() => naiveServer.stop());
  const naive = await makeSide(context, naiveServer, await naiveServer.call<number>('listen'));

  const bytes = await checkOneReader(ours);
  const [oursKb, naiveKb] = [await connectMeasured(ours, n), await connectMeasured(naive, n)];
  const cpu = await interleave(
    ROUNDS,
    () => fanOut(ours, n),
    () => fanOut(naive, n),
  );
  const received = ours.runs.reduce((sum, run) => sum + run.received, 0);

  context.emit({
    name: 'sse.fanout.cpu',
    n,
    unit: 'CPU us/message',
    subject: cpu.subject,
    baseline: cpu.baseline,
    ratio: cpu.ratio,
    goal: top ? { atMost: 0.85 } : null,
  });
  context.emit({
    name: 'sse.fanout.delivered',
    n,
    unit: 'frames',
    subject: received,
    baseline: ours.sent,
    ratio: received / ours.sent,
    goal: { atLeast: 1 },
    slack: 0,
  });
  context.emit({
    name: 'sse.fanout.memory',
    n,
    unit: 'KB RSS/connection',
    subject: oursKb,
    baseline: naiveKb,
    ratio: oursKb,
    goal: top ? { atMost: 25 } : null,
  });
  const p99 = (side: Side) => median(side.runs.map((run) => run.p99Ms));
  context.emit({
    name: 'sse.fanout.p99',
    n,
    unit: 'ms',
    subject: p99(ours),
    baseline: p99(naive),
    ratio: p99(ours) / p99(naive),
  });
  if (top) context.note(`a frame of ${SYMBOLS} symbols is ${bytes} B before compression`);
  for (const child of [ours.clients, naive.clients, naiveServer, product]) await child.stop();
}

async function run(context: Context): Promise<void> {
  const connection = await startFilledDatabase(context);
  const sizes = context.ci ? [100, 2000] : [100, 1000, 10_000];
  for (const n of sizes) await measure(context, connection, n, n === sizes.at(-1));
}

export const sseFanout: Benchmark = { names: ['sse.fanout'], run };
