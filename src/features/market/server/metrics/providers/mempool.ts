import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation, ReadContext } from '../types.ts';
import { blockCounts, countedBlocks, type PaidBlock, type Payment } from './large-transfers.ts';

export const mempool: SourceDescriptor = {
  id: 'mempool',
  name: 'mempool.space',
  gives: 'Bitcoin hash rate, difficulty and transactions per second',
  homepage: 'https://mempool.space',
  licence: 'Open source; public server for moderate use only',
  attribution: 'mempool.space',
  key: 'none',
  options: ({ MEMPOOL_BASE_URL }) => ({
    baseUrl: MEMPOOL_BASE_URL,
    perMinute: 30,
    burst: 6,
    timeoutMs: 20_000,
  }),
};

const positive = z.number().positive();
/** H/s exceed 2^53: a double preserves 15 digits, more than their accuracy. */
const hashRates = z.object({
  hashrates: z.array(z.object({ timestamp: positive, avgHashrate: z.number().nullish() })).nullish(),
  difficulty: z
    .array(z.object({ time: positive.nullish(), timestamp: positive.nullish(), difficulty: z.number().nullish() }))
    .nullish(),
  currentHashrate: z.number().nullish(),
  currentDifficulty: z.number().nullish(),
});
const blocks = z.array(z.object({ height: z.int(), timestamp: positive, tx_count: z.int().min(1) })).min(1);
type Block = z.output<typeof blocks>[number];

const PAGES = 3;
const LEAST_BLOCKS = 10;

/** GET /api/v1/blocks[/height]: 15 blocks downwards. */
async function recentBlocks(client: SourceClient, signal: AbortSignal): Promise<Block[]> {
  const found: Block[] = [];
  for (let page = 0; page < PAGES; page++) {
    const lowest = found.at(-1)?.height;
    const path = lowest === undefined ? '/api/v1/blocks' : `/api/v1/blocks/${lowest - 1}`;
    const { data } = await client.get(path, blocks, { signal });
    found.push(...data.filter(({ height }) => lowest === undefined || height < lowest));
  }
  return found;
}

/** Block times vary, so a few hours are counted. */
function hashRateObservations(found: Block[], observedAt: Date): Observation[] {
  const [newest, oldest] = [found[0], found.at(-1)];
  if (!newest || !oldest || found.length < LEAST_BLOCKS || newest.timestamp <= oldest.timestamp) return [];
  const counted = found.slice(0, -1).reduce((sum, block) => sum + block.tx_count, 0);
  const seconds = newest.timestamp - oldest.timestamp;
  return [
    {
      metric: 'l1.bitcoin.tps',
      value: counted / seconds,
      observedAt,
      method: 'computed',
      detail: { terms: `Average over ${found.length - 1} blocks, ${Math.round(seconds / 60)} min` },
    },
  ];
}

const known = (value: number | null | undefined): value is number => typeof value === 'number' && value > 0;

/** mempool.space data is as old as its newest block. */
async function readNow(client: SourceClient, { now, signal }: ReadContext): Promise<Observation[]> {
  const [rates, found] = await Promise.allSettled([
    client.get('/api/v1/mining/hashrate/3d', hashRates, { signal }),
    recentBlocks(client, signal),
  ]);
  for (const result of [rates, found])
    if (result.status === 'rejected' && !(result.reason instanceof SourceError)) throw result.reason;
  if (rates.status === 'rejected' && found.status === 'rejected') throw rates.reason;
  const newest = found.status === 'fulfilled' ? found.value[0] : undefined;
  const observedAt = new Date(Math.min(now.getTime(), newest ? newest.timestamp * 1000 : now.getTime()));
  const rows = found.status === 'fulfilled' ? hashRateObservations(found.value, observedAt) : [];
  if (rates.status === 'rejected') return rows;
  const { currentHashrate, currentDifficulty } = rates.value.data;
  if (known(currentHashrate)) rows.push({ metric: 'hash_rate', value: currentHashrate, observedAt });
  if (known(currentDifficulty)) rows.push({ metric: 'difficulty', value: currentDifficulty, observedAt });
  return rows;
}

const YEAR_MS = 365 * 86_400_000;

/** GET /api/v1/mining/hashrate/{3d|1y|3y}: daily H/s, difficulty at each adjustment; times in seconds. */
export const bitcoinNetwork: MetricSource = {
  source: 'mempool',
  lane: 'slow',
  read: readNow,
  async past(client, from, { now, signal }) {
    const period = now.getTime() - from.getTime() < YEAR_MS ? '1y' : '3y';
    const { data } = await client.get(`/api/v1/mining/hashrate/${period}`, hashRates, { signal });
    const at = (metric: string, value: number | null | undefined, seconds: number | null | undefined) =>
      known(value) && known(seconds) ? [{ metric, value, observedAt: new Date(seconds * 1000) }] : [];
    return [
      ...(data.hashrates ?? []).flatMap((row) => at('hash_rate', row.avgHashrate, row.timestamp)),
      ...(data.difficulty ?? []).flatMap((row) => at('difficulty', row.difficulty, row.time ?? row.timestamp)),
    ].filter(({ observedAt }) => observedAt >= from);
  },
};

/** Block times vary: only after this long without a new count does the first source count as down. */
const PATIENCE_MS = 25 * 60_000;
const DAY_MS = 86_400_000;
const PER_PAGE = 25;

const block = z.object({
  id: z.string(),
  previousblockhash: z.string(),
  height: z.int(),
  timestamp: z.number().positive(),
  tx_count: z.int().min(1),
});
const whaleBlocks = z.array(block).min(1);
const coins = z.object({ scriptpubkey_address: z.string().nullish(), value: z.number().nullish() });
const transactions = z.array(z.object({ vin: z.array(z.object({ prevout: coins.nullish() })), vout: z.array(coins) }));

const toPayment = ({ vin, vout }: z.output<typeof transactions>[number]): Payment => ({
  isReward: vin.every(({ prevout }) => !prevout),
  senders: vin.flatMap(({ prevout }) => prevout?.scriptpubkey_address ?? []),
  outputs: vout.map(({ scriptpubkey_address: address, value: satoshi }) => ({ address, satoshi })),
});

/** GET /api/block/{hash}/txs/{start}: 25 transactions per page, all pages or none. */
async function readBlock(client: SourceClient, of: z.output<typeof block>, signal: AbortSignal): Promise<PaidBlock> {
  const payments: Payment[] = [];
  for (let start = 0; start < of.tx_count; start += PER_PAGE) {
    const { data } = await client.get(`/api/block/${of.id}/txs/${start}`, transactions, { signal });
    payments.push(...data.map(toPayment));
  }
  const { id: hash, previousblockhash: previous, height, timestamp: time } = of;
  return { hash, previous, height, time, payments };
}

/** Since when each client has waited for the first source to count a block. */
const waiting = new WeakMap<SourceClient, number>();

function hasNews(client: SourceClient, newest: number | undefined, now: Date): boolean {
  const since = waiting.get(client) ?? now.getTime();
  waiting.set(client, since);
  return now.getTime() - Math.max(since, newest ?? 0) < PATIENCE_MS;
}

/** GET /api/v1/blocks: one block of more than a hundred pages per reading, and only while Blockchain.com fails. */
export const mempoolWhales: MetricSource = {
  source: 'mempool',
  lane: 'blocks',
  async read(client, ask: ReadContext) {
    const { now, signal, market } = ask;
    const usdPerCoin = market.priceOf('BTC');
    if (usdPerCoin === null) return [];
    const known = await countedBlocks(ask);
    const others = [...known.values()].filter(({ by }) => by !== 'mempool').map(({ fetchedAt }) => fetchedAt);
    if (hasNews(client, others.length > 0 ? Math.max(...others) : undefined, now)) return [];
    const { data } = await client.get('/api/v1/blocks', whaleBlocks, { signal });
    const next = data.find(({ id, timestamp }) => !known.has(id) && now.getTime() - timestamp * 1000 < DAY_MS);
    return next ? blockCounts(await readBlock(client, next, signal), usdPerCoin, now) : [];
  },
};
