import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';

import type { Ask, MetricSource } from '../types.ts';
import { blockCounts, countedBlocks, type PaidBlock, type Payment } from './large-transfers.ts';

/** Blocks come unevenly: only after this long without a new count is the first source taken for gone. */
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
const blocks = z.array(block).min(1);
const coins = z.object({ scriptpubkey_address: z.string().nullish(), value: z.number().nullish() });
const transactions = z.array(z.object({ vin: z.array(z.object({ prevout: coins.nullish() })), vout: z.array(coins) }));

const toPayment = ({ vin, vout }: z.output<typeof transactions>[number]): Payment => ({
  isReward: vin.every(({ prevout }) => !prevout),
  senders: vin.flatMap(({ prevout }) => prevout?.scriptpubkey_address ?? []),
  outputs: vout.map(({ scriptpubkey_address: address, value: satoshi }) => ({ address, satoshi })),
});

/** GET /api/block/{hash}/txs/{start}: 25 transactions a page, all pages or none. */
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

/** GET /api/v1/blocks: one block of more than a hundred pages a reading, and only while Blockchain.com gives none. */
export const mempoolWhales: MetricSource = {
  source: 'mempool',
  lane: 'blocks',
  async read(client, ask: Ask) {
    const { now, signal, market } = ask;
    const usdPerCoin = market.priceOf('BTC');
    if (usdPerCoin === null) return [];
    const known = await countedBlocks(ask);
    const others = [...known.values()].filter(({ by }) => by !== 'mempool').map(({ fetchedAt }) => fetchedAt);
    if (hasNews(client, others.length > 0 ? Math.max(...others) : undefined, now)) return [];
    const { data } = await client.get('/api/v1/blocks', blocks, { signal });
    const next = data.find(({ id, timestamp }) => !known.has(id) && now.getTime() - timestamp * 1000 < DAY_MS);
    return next ? blockCounts(await readBlock(client, next, signal), usdPerCoin, now) : [];
  },
};
