import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { Ask, MetricSource, Observation } from '../types.ts';
import { blockchainRefusal } from './blockchain-charts.ts';
import { blockCounts, countedBlocks, type PaidBlock } from './large-transfers.ts';

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
    refusal: blockchainRefusal,
  }),
};

const DAY_MS = 86_400_000;
/** Six come in an hour; the rest of each reading goes into the day before. */
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

/** Walks from the newest block back over one day, reading what has not been counted. */
async function newBlocks(client: SourceClient, ask: Ask, usdPerCoin: number): Promise<Observation[]> {
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

/** GET /latestblock, /rawblock/{hash}: counts of each block at its own time; the sum of a day is derived. */
export const whaleBlocks: MetricSource = {
  source: 'blockchain-info',
  lane: 'blocks',
  async read(client, ask) {
    const usdPerCoin = ask.market.priceOf('BTC');
    return usdPerCoin === null ? [] : newBlocks(client, ask, usdPerCoin);
  },
};
