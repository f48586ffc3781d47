import { z } from 'zod';

import type { Ask, Observation } from '../types.ts';
import { exchangeOf } from './exchange-wallets.ts';

const LARGE_USD = 1_000_000;
const VERY_LARGE_USD = 10_000_000;
const SATOSHI = 100_000_000;
const DAY_MS = 86_400_000;

/** One transaction of a block: where its coins come from, and where they go. */
export type Payment = {
  /** New coins have no sender. */
  isReward: boolean;
  senders: string[];
  outputs: { address: string | null | undefined; satoshi: number | null | undefined }[];
};

/** One Bitcoin block, as any source gives it; time in seconds. */
export type PaidBlock = { hash: string; previous: string; height: number; time: number; payments: Payment[] };

/** Outputs worth a million dollars; coins that return to an address they came from are change, new coins a reward. */
function count(payments: Payment[], usdPerCoin: number) {
  const found = { count: 0, large: 0, deposits: 0 };
  for (const { isReward, senders, outputs } of payments) {
    if (isReward) continue;
    for (const { address, satoshi } of outputs) {
      const usd = ((satoshi ?? 0) / SATOSHI) * usdPerCoin;
      if (usd < LARGE_USD || (address && senders.includes(address))) continue;
      found.count += 1;
      if (usd >= VERY_LARGE_USD) found.large += 1;
      const exchange = address ? exchangeOf(address) : undefined;
      if (exchange && senders.every((sender) => exchangeOf(sender) !== exchange)) found.deposits += 1;
    }
  }
  return found;
}

/** What a block counts for, at its own time. */
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

/** What a counted block leaves behind, so that it is read only once, whoever has read it. */
const marker = z.object({ height: z.int(), hash: z.string(), previous: z.string() });
export type CountedBlock = z.output<typeof marker> & { by: string; at: number; fetchedAt: number };

export async function countedBlocks({ stored, now }: Ask): Promise<Map<string, CountedBlock>> {
  const rows = await stored('venue.whales.count', new Date(now.getTime() - 2 * DAY_MS), 'anyone');
  return new Map(
    rows.flatMap(({ source: by, detail, observed_at, fetched_at }) => {
      const known = marker.safeParse(detail);
      const times = { by, at: Date.parse(observed_at), fetchedAt: Date.parse(fetched_at) };
      return known.success ? [[known.data.hash, { ...known.data, ...times }]] : [];
    }),
  );
}
