import { z } from 'zod';

import type { SourceClient } from '#server/platform/http/http-client.ts';
import { isLoopback } from '#server/platform/http/loopback.ts';
import { SourceError } from '#server/platform/http/source-error.ts';
import type { SourceDescriptor } from '#server/platform/source-set.ts';

import type { Ask, MetricSource, Observation } from '../types.ts';
import { blockchainRefusal } from './blockchain-charts.ts';
import { exchangeOf } from './exchange-wallets.ts';

export const blockchainInfo: SourceDescriptor = {
  id: 'blockchain-info',
  name: 'Blockchain.com',
  gives: 'Bitcoin blocks, for transfers of a million dollars and more',
  homepage: 'https://www.blockchain.com/explorer',
  licence: 'Free to use under the Blockchain.com API terms, with attribution',
  attribution: 'Blocks by Blockchain.com',
  key: 'none',
  options: ({ BLOCKCHAIN_INFO_BASE_URL }) => ({
    baseUrl: BLOCKCHAIN_INFO_BASE_URL,
    perMinute: isLoopback(BLOCKCHAIN_INFO_BASE_URL) ? 600 : 10,
    burst: 4,
    timeoutMs: 60_000,
    retries: 1,
    refusal: blockchainRefusal,
  }),
};

const LARGE_USD = 1_000_000;
const VERY_LARGE_USD = 10_000_000;
const SATOSHI = 100_000_000;
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

/** What a counted block leaves behind, so that it is read only once. */
const marker = z.object({ height: z.int(), hash: z.string(), previous: z.string() });
type Known = z.output<typeof marker> & { at: number };

/** Outputs worth a million dollars; coins that return to an address they came from are change, new coins a reward. */
function count({ tx }: Block, usdPerCoin: number) {
  const found = { count: 0, large: 0, deposits: 0 };
  for (const { inputs, out } of tx) {
    const from = inputs.flatMap(({ prev_out }) => (prev_out?.addr ? [prev_out.addr] : []));
    if (inputs.every(({ prev_out }) => !prev_out)) continue;
    for (const { addr, value } of out) {
      const usd = ((value ?? 0) / SATOSHI) * usdPerCoin;
      if (usd < LARGE_USD || (addr && from.includes(addr))) continue;
      found.count += 1;
      if (usd >= VERY_LARGE_USD) found.large += 1;
      const exchange = addr ? exchangeOf(addr) : undefined;
      if (exchange && from.every((sender) => exchangeOf(sender) !== exchange)) found.deposits += 1;
    }
  }
  return found;
}

function toObservations(block: Block, usdPerCoin: number, now: Date): Observation[] {
  // Two blocks may carry the same second: the height keeps them apart.
  const observedAt = new Date(Math.min(now.getTime(), block.time * 1000 + (block.height % 1000)));
  const detail = { height: block.height, hash: block.hash, previous: block.prev_block };
  return Object.entries(count(block, usdPerCoin)).map(([name, value]) => ({
    metric: `venue.whales.${name}`,
    value,
    observedAt,
    detail,
  }));
}

async function countedBlocks({ stored, now }: Ask): Promise<Map<string, Known>> {
  const rows = await stored('venue.whales.count', new Date(now.getTime() - 2 * DAY_MS));
  return new Map(
    rows.flatMap(({ detail, observed_at }) => {
      const known = marker.safeParse(detail);
      return known.success ? [[known.data.hash, { ...known.data, at: Date.parse(observed_at) }]] : [];
    }),
  );
}

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
    rows.push(...toObservations(data, usdPerCoin, ask.now));
    if (ask.now.getTime() - data.time * 1000 > DAY_MS) break;
    hash = data.prev_block;
  }
  return rows;
}

/** GET /latestblock, /rawblock/{hash}: counts of each block at its own time; the sum of a day is derived. */
export const whaleBlocks: MetricSource = {
  source: 'blockchain-info',
  lane: 'slow',
  async read(client, ask) {
    const usdPerCoin = ask.market.priceOf('BTC');
    return usdPerCoin === null ? [] : newBlocks(client, ask, usdPerCoin);
  },
};
