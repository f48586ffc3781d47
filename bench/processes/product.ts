import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { addExport } from '#features/exports/server/exports/store/exports.ts';
import { pricesTopic } from '#features/market/contract/market.ts';
import { fanOut } from '#features/notifications/server/notifications/service/run.ts';
import type { Connection } from '#kernel/db.ts';
import type { TopicData } from '#shared/contract.ts';

import { readOptions, serveCalls } from '../support/offer.ts';
import { openProduct } from '../support/product.ts';

type Ticks = TopicData<typeof pricesTopic>;

/** Everything a rebuild prepares at once, because it has readers. */
const READ_PATHS = [
  '/',
  '/app',
  '/about',
  '/api/about',
  '/api/dashboard',
  '/api/prices',
  '/api/advanced-metrics',
  '/api/market-sentiment',
  '/api/derivatives',
  '/api/onchain',
  '/api/layer1-data',
  '/api/trending-narratives',
  '/api/events',
];

const product = await openProduct(
  readOptions<{ connection: Connection; frozen: boolean; env: Record<string, string>; watchRequests?: boolean }>(),
);
const { live, board } = product.market.ctx;
let timer: ReturnType<typeof setInterval> | undefined;
let step = 0;
let published = 0;
let exportState: { isRunning: boolean; exportCount: number; ended: Promise<void> } | undefined;
let owner: { stop: () => Promise<void> } | undefined;
let delivery: { ending: AbortController; ended: Promise<number> } | undefined;

/** Moves every coin of the board by up to `most`, half a percent by default. */
function nextTicks(amplitude = 0.005): Ticks {
  step++;
  const at = Date.now();
  const ticks = board.prices().map(({ id, price, change_24h, market_cap }, i): Ticks['ticks'][number] => {
    const factor = 1 + amplitude * Math.sin(step * 1.7 + i);
    return [id, price * factor, (change_24h ?? 0) + factor - 1, Math.round((market_cap ?? 0) * factor), i % 2, at];
  });
  return { at, sources: ['OKX', 'Coinbase'], ticks };
}

const mainThreadMs = () => {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = mainThreadMs();
  let running = true;
  const sample = () => {
    const now = mainThreadMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(sample);
  };
  setImmediate(sample);
  await work();
  running = false;
  return longest;
}

/** Exports every metric as JSON, one export after another. */
async function runExports(state: { isRunning: boolean; exportCount: number }): Promise<void> {
  const { db } = product.exports.ctx;
  const { id: userId } = await db.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
  while (state.isRunning) {
    const at = new Date().toISOString();
    await addExport(db, {
      id: randomUUID(),
      user_id: userId,
      basic: false,
      data_types: ['market_data'],
      date_range: 'all',
      range_to: at,
      format: 'json',
      include_metadata: true,
      compression: false,
      state: 'waiting',
      created_at: at,
    });
    await product.scheduler.runManually('exports.make');
    state.exportCount++;
  }
}

serveCalls(
  {
    listen: async () => (await product.listen()).port,
    publish: (data: Ticks) => live.publish(pricesTopic, data),
    clients: () => live.hub.clients(),
    startTicks(perSecond: number, amplitude?: number) {
      timer = setInterval(() => {
        published++;
        void live.publish(pricesTopic, nextTicks(amplitude));
      }, 1000 / perSecond);
    },
    stopTicks: () => clearInterval(timer),
    prices: () => ({ btc: product.market.priceOfSymbol('BTC') ?? 0, eth: product.market.priceOfSymbol('ETH') ?? 0 }),
    /** Evaluates custom rules from now on; call it again after adding rules. */
    async ownRules() {
      await owner?.stop();
      owner = await product.thresholds.startOwner();
    },
    framesPublished: () => published,
    /** Resources held by a process, by kind: sockets, timers, threads and listeners. */
    held() {
      const counts: Record<string, number> = { listeners: 0 };
      for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
      for (const name of process.eventNames())
        counts['listeners'] = (counts['listeners'] ?? 0) + process.listenerCount(name);
      return counts;
    },
    fanOut: () => fanOut(product.notifications.ctx, new AbortController().signal),
    startDelivering() {
      const abortController = new AbortController();
      const ended = product.notifications.deliver(abortController.signal);
      delivery = { ending: abortController, ended };
    },
    async startExporting() {
      await product.exports.ctx.db.deleteFrom('exports').execute();
      const state = { isRunning: true, exportCount: 0 };
      exportState = Object.assign(state, { ended: runExports(state) });
    },
    exportsUnderWay: () => product.exports.ctx.making.size,
    async stopExporting() {
      if (!exportState) return 0;
      exportState.isRunning = false;
      for (const { end } of product.exports.ctx.making.values()) end('cancelled');
      await exportState.ended;
      return exportState.exportCount;
    },
    async stopDelivering() {
      delivery?.ending.abort();
      return delivery?.ended;
    },
    /**
     * The longest stall of each rebuild: in wall-clock time, and in CPU time of the main thread between two turns of
     * the event loop, which excludes other processes.
     */
    async rebuild(times: number) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const clockMs: number[] = [];
      const cpuMs: number[] = [];
      for (let i = 0; i < times; i++) {
        for (const url of READ_PATHS) await product.app.inject({ url, headers: { 'accept-encoding': 'br' } });
        await live.publish(pricesTopic, nextTicks());
        delay.reset();
        await product.rebuild();
        await wait(3);
        clockMs.push(delay.max / 1e6);
        cpuMs.push(await longestBlock(product.rebuild));
      }
      delay.disable();
      return { clockMs, cpuMs };
    },
  },
  async () => {
    clearInterval(timer);
    await owner?.stop();
    await product.stop();
  },
);
