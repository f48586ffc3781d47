import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation } from '../types.ts';

/** What both of Blockchain.com's addresses say when they refuse, seen under 200 too. */
export function blockchainRefusal(body: unknown): string | null {
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
    refusal: blockchainRefusal,
  }),
};

const answer = z.object({
  status: z.literal('ok'),
  values: z.array(z.object({ x: z.number().positive(), y: z.number().nullable() })),
});

/** GET /charts/n-unique-addresses: addresses a day, dated at the day's start in seconds. A zero is a day not counted. */
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
