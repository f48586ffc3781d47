import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation, ReadContext } from '../types.ts';
import { blockCounts, countedBlocks, type PaidBlock } from './large-transfers.ts';

/** Error body of both Blockchain.com hosts, seen with status 200 too. */
function blockchainRefusal(body: unknown): string | null {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  if (typeof error !== 'string') return null;
  if (/too.many|limit/i.test(error)) return 'rate_limited';
  return typeof message === 'string' ? message : error;
}

export const blockchainCharts: SourceDescriptor = {
  id: 'blockchain-charts',
  name: 'Blockchain.com charts',
  gives: 'Active Bitcoin addresses; hash rate and difficulty when mempool.space fails',
  homepage: 'https://www.blockchain.com/explorer/charts',
  licence: 'Free to use under the Blockchain.com API terms, with attribution',
  attribution: 'Charts by Blockchain.com',
  key: 'none',
  options: ({ BLOCKCHAIN_CHARTS_BASE_URL }) => ({
    baseUrl: BLOCKCHAIN_CHARTS_BASE_URL,
    perMinute: 10,
    burst: 3,
    timeoutMs: 20_000,
    parseError: blockchainRefusal,
  }),
};

const answer = z.object({
  status: z.literal('ok'),
  values: z.array(z.object({ x: z.number().positive(), y: z.number().nullable() })),
});

/** GET /charts/n-unique-addresses: addresses per day, dated at the day's start in seconds. Zero means not counted. */
async function addresses(client: SourceClient, days: number, from: Date, signal: AbortSignal) {
  const query = { timespan: `${days}days`, format: 'json', sampled: false };
  const { data } = await client.get('/charts/n-unique-addresses', answer, { query, signal });
  return data.values.flatMap(({ x, y }) => {
    const observedAt = new Date(x * 1000);
    return y && y > 0 && observedAt >= from ? [{ metric: 'addresses.btc.active', value: y, observedAt }] : [];
  });
}

export const activeAddresses: MetricSource = {
  source: 'blockchain-charts',
  lane: 'slow',
  read: (client, { now, signal }) => addresses(client, 5, new Date(now.getTime() - 5 * 86_400_000), signal),
  past: (client, from, { now, signal }) =>
    addresses(client, Math.ceil((now.getTime() - from.getTime()) / 86_400_000), from, signal),
};

const GIGA = 1e9;
const stats = z.object({
  timestamp: z.number().positive(),
  hash_rate: z.number().nullish(),
  difficulty: z.number().nullish(),
});

/** GET /stats: the hash rate of the last day in GH/s; time in milliseconds. */
export const networkStats: MetricSource = {
  source: 'blockchain-charts',
  lane: 'slow',
  async read(client, { now, signal }) {
    const { data } = await client.get('/stats', stats, { signal });
    const observedAt = new Date(Math.min(now.getTime(), data.timestamp));
    const rows: Observation[] = [];
    if (data.hash_rate && data.hash_rate > 0)
      rows.push({
        metric: 'hash_rate',
        value: data.hash_rate * GIGA,
        observedAt,
        detail: { terms: 'Average of the last 24 hours' },
      });
    if (data.difficulty && data.difficulty > 0) rows.push({ metric: 'difficulty', value: data.difficulty, observedAt });
    return rows;
  },
};

export const blockchainInfo: SourceDescriptor = {
  id: 'blockchain-info',
  name: 'Blockchain.com',
  gives: 'Bitcoin blocks, for transfers of $1M or more',
  homepage: 'https://www.blockchain.com/explorer',
  licence: 'Free to use under the Blockchain.com API terms, with attribution',
  attribution: 'Blocks by Blockchain.com',
  key: 'none',
  options: ({ BLOCKCHAIN_INFO_BASE_URL }) => ({
    baseUrl: BLOCKCHAIN_INFO_BASE_URL,
    perMinute: 10,
    burst: 4,
    timeoutMs: 60_000,
    retries: 1,
    parseError: blockchainRefusal,
  }),
};

const DAY_MS = 86_400_000;
/** Six are mined per hour; the rest of each reading goes to the day before. */
const BLOCKS_PER_READ = 6;
const MOST_BLOCKS_A_DAY = 300;

const place = z.object({ addr: z.string().nullish(), value: z.number().nullish() });
const latestBlock = z.object({ hash: z.string(), height: z.int() });
const rawBlock = z.object({
  hash: z.string(),
  prev_block: z.string(),
  height: z.int(),
  time: z.number().positive(),
  tx: z.array(z.object({ inputs: z.array(z.object({ prev_out: place.nullish() })), out: z.array(place) })).min(1),
});
type Block = z.output<typeof rawBlock>;

const toPaid = ({ hash, prev_block: previous, height, time, tx }: Block): PaidBlock => ({
  hash,
  previous,
  height,
  time,
  payments: tx.map(({ inputs, out }) => ({
    isReward: inputs.every(({ prev_out }) => !prev_out),
    senders: inputs.flatMap(({ prev_out }) => prev_out?.addr ?? []),
    outputs: out.map(({ addr: address, value: satoshi }) => ({ address, satoshi })),
  })),
});

/** Walks back one day from the newest block, reading blocks not counted yet. */
async function newBlocks(client: SourceClient, ask: ReadContext, usdPerCoin: number): Promise<Observation[]> {
  const known = await countedBlocks(ask);
  const rows: Observation[] = [];
  let { hash } = (await client.get('/latestblock', latestBlock, { signal: ask.signal })).data;
  let read = 0;
  for (let walked = 0; walked < MOST_BLOCKS_A_DAY && read < BLOCKS_PER_READ; walked++) {
    const counted = known.get(hash);
    if (counted) {
      if (ask.now.getTime() - counted.at > DAY_MS) break;
      hash = counted.previous;
      continue;
    }
    const { data } = await client.get(`/rawblock/${hash}`, rawBlock, { signal: ask.signal }).catch((error: unknown) => {
      if (rows.length > 0 && error instanceof SourceError) return { data: null };
      throw error;
    });
    if (!data) break;
    read += 1;
    rows.push(...blockCounts(toPaid(data), usdPerCoin, ask.now));
    if (ask.now.getTime() - data.time * 1000 > DAY_MS) break;
    hash = data.prev_block;
  }
  return rows;
}

/** GET /latestblock, /rawblock/{hash}: counts per block at its own time; the daily sum is derived. */
export const whaleBlocks: MetricSource = {
  source: 'blockchain-info',
  lane: 'blocks',
  async read(client, ask) {
    const usdPerCoin = ask.market.priceOf('BTC');
    return usdPerCoin === null ? [] : newBlocks(client, ask, usdPerCoin);
  },
};
