import { z } from 'zod';

import type { Observation, ReadContext } from '../types.ts';

/**
 * Bitcoin wallets published by exchanges in their proofs of reserves, from the public address book of
 * DefiLlama-Adapters (projects/helper/bitcoin-book). Only the largest of each: deposits to others are missed.
 */
const WALLETS: Readonly<Record<string, readonly string[]>> = {
  Binance: [
    '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
    '3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6',
    'bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h',
    '1Pzaqw98PeRfyHypfqyEgg5yycJRsENrE7',
    '34HpHYiyQwg69gFmCq2BGHjF1DZnZnBeBP',
    '3LtrsjtyLsHoG8WQMe2RFw3de4pLTQZNcY',
    '3JJmF63ifcamPLiAmLgG96RA599yNtY3EQ',
    'bc1q32lyrhp9zpww22phqjwwmelta0c8a5q990ghs6',
    '39884E3j6KZj82FK4vcCrkUvWYL5MQaS3v',
    '1PJiGp2yDLvUgqeBsuZVCBADArNsk6XEiw',
  ],
  Bitfinex: [
    'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97',
    '3JZq4atUahhuA9rLhXLMhhTo133J9rF97j',
    '1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g',
  ],
  OKX: [
    'bc1quhruqrghgcca950rvhtrg7cpd7u8k6svpzgzmrjy8xyukacl5lkq0r8l2d',
    '1LnoZawVFFQihU8d8ntxLMpYheZUfyeVAK',
    '1JQULE6yHr9UaitLr4wahTwJN7DaMX7W1Z',
    '1DcT5Wij5tfb3oVViF8mA8p4WrG98ahZPT',
    '1CY7fykRLWXeSbKB885Kr4KjQxmDdvW923',
  ],
  Kraken: [
    'bc1qnhmemsqfhycvp6g50v732h7wfwdt68el4ux5ttu8xwsrzngmxv0qr55aga',
    'bc1qa5aux0l2c3l99tpmd9c85770kqpksg3g6dxaw03jj6lphnwy4lqq68xfgc',
    'bc1q3gqqnn9hr0uachfk6rv3qhf3pp9z8a4z63ksc5qu0c2vvtykqd9qj3fyum',
  ],
  Gate: [
    '14kmvhQrWrNEHbrSKBySj4qHGjemDtS3SF',
    '162bzZT2hJfv5Gm3ZmWfWfHJjCtMD6rHhw',
    '1G47mSr3oANXMafVrR8UC4pzV7FEAzo3r9',
  ],
  HTX: [
    '12qTdZHx6f77aQ74CPCZGSY47VaRwYjVD8',
    '143gLvWYUojXaWZRrxquRKpVNTkhmr415B',
    '14XKsv8tT6tt8P8mfDQZgNF8wtN5erNu5D',
  ],
};

const EXCHANGE_OF = new Map(Object.entries(WALLETS).flatMap(([name, all]) => all.map((address) => [address, name])));

const findExchange = (address: string): string | undefined => EXCHANGE_OF.get(address);
export const WALLETS_KNOWN = EXCHANGE_OF.size;

const LARGE_USD = 1_000_000;
const VERY_LARGE_USD = 10_000_000;
const SATOSHI = 100_000_000;
const DAY_MS = 86_400_000;

/** One transaction of a block, with its senders and recipients. */
export type Payment = {
  /** New coins have no sender. */
  isReward: boolean;
  senders: string[];
  outputs: { address: string | null | undefined; satoshi: number | null | undefined }[];
};

/** One Bitcoin block from any source; time in seconds. */
export type PaidBlock = { hash: string; previous: string; height: number; time: number; payments: Payment[] };

/** Counts outputs worth a million dollars; coins returning to a sender's address are change, new coins are a reward. */
function count(payments: Payment[], usdPerCoin: number) {
  const found = { count: 0, large: 0, deposits: 0 };
  for (const { isReward, senders, outputs } of payments) {
    if (isReward) continue;
    for (const { address, satoshi } of outputs) {
      const usd = ((satoshi ?? 0) / SATOSHI) * usdPerCoin;
      if (usd < LARGE_USD || (address && senders.includes(address))) continue;
      found.count += 1;
      if (usd >= VERY_LARGE_USD) found.large += 1;
      const exchange = address ? findExchange(address) : undefined;
      if (exchange && senders.every((sender) => findExchange(sender) !== exchange)) found.deposits += 1;
    }
  }
  return found;
}

/** The counts of a block, at its own time. */
export function blockCounts({ payments, time, ...block }: PaidBlock, usdPerCoin: number, now: Date): Observation[] {
  // Two blocks may carry the same second: the height keeps them apart.
  const observedAt = new Date(Math.min(now.getTime(), time * 1000 + (block.height % 1000)));
  return Object.entries(count(payments, usdPerCoin)).map(([name, value]) => ({
    metric: `venue.whales.${name}`,
    value,
    observedAt,
    detail: block,
  }));
}

/** Marker of a counted block, so that it is read only once, by any source. */
const marker = z.object({ height: z.int(), hash: z.string(), previous: z.string() });
export type CountedBlock = z.output<typeof marker> & { by: string; at: number; fetchedAt: number };

export async function countedBlocks({ stored, now }: ReadContext): Promise<Map<string, CountedBlock>> {
  const rows = await stored('venue.whales.count', new Date(now.getTime() - 2 * DAY_MS), 'anyone');
  return new Map(
    rows.flatMap(({ source: by, detail, observed_at, fetched_at }) => {
      const known = marker.safeParse(detail);
      const times = { by, at: Date.parse(observed_at), fetchedAt: Date.parse(fetched_at) };
      return known.success ? [[known.data.hash, { ...known.data, ...times }]] : [];
    }),
  );
}
