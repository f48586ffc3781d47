import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation } from '../types.ts';

/** Error body of both DefiLlama hosts, seen with status 200 too. */
export function llamaRefusal(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { message } = body as { message?: unknown };
  if (typeof message !== 'string') return null;
  return /too many|rate limit/i.test(message) ? 'rate_limited' : message;
}

export const stablecoinsLlama: SourceDescriptor = {
  id: 'stablecoins-llama',
  name: 'DefiLlama stablecoins',
  gives: 'Stablecoin supply',
  homepage: 'https://defillama.com/stablecoins',
  licence: 'Open API, free to use with attribution to DefiLlama',
  attribution: 'Stablecoin supply by DefiLlama',
  key: 'none',
  options: ({ STABLECOINS_LLAMA_BASE_URL }) => ({
    baseUrl: STABLECOINS_LLAMA_BASE_URL,
    perMinute: 20,
    burst: 3,
    timeoutMs: 30_000,
    parseError: llamaRefusal,
  }),
};

const dollars = z.object({ peggedUSD: z.number().nullish() }).nullish();
const list = z.object({
  peggedAssets: z
    .array(z.object({ pegType: z.string(), circulating: dollars, circulatingPrevDay: z.unknown().optional() }))
    .min(1),
});
const chart = z.array(z.object({ date: z.coerce.number().positive(), totalCirculating: dollars })).min(1);

const usdIn = (value: unknown): number | null => {
  const parsed = dollars.safeParse(value);
  const amount = parsed.success ? parsed.data?.peggedUSD : null;
  return amount && amount > 0 ? amount : null;
};

/** The change over coins with both days: a coin without yesterday's value would count as an inflow. */
function percentChange(coins: { now: number; before: number | null }[]): number | null {
  const both = coins.flatMap(({ now, before }) => (before === null ? [] : [{ now, before }]));
  const [now, before] = [sum(both.map((coin) => coin.now)), sum(both.map((coin) => coin.before))];
  return before > 0 ? (now / before - 1) * 100 : null;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/**
 * GET /stablecoins: outstanding supply of everything pegged to the dollar, with the previous day; no timestamp. GET
 * /stablecoincharts/all: daily values, `date` a string of seconds.
 */
export const stablecoinSupply: MetricSource = {
  source: 'stablecoins-llama',
  lane: 'slow',
  async read(client, { signal }) {
    const { data, fetchedAt } = await client.get('/stablecoins', list, { query: { includePrices: true }, signal });
    const coins = data.peggedAssets.flatMap(({ pegType, circulating, circulatingPrevDay }) => {
      const now = pegType === 'peggedUSD' ? usdIn(circulating) : null;
      return now === null ? [] : [{ now, before: usdIn(circulatingPrevDay) }];
    });
    if (coins.length === 0) return [];
    const change = percentChange(coins);
    return [
      {
        metric: 'stablecoins.supply',
        value: sum(coins.map(({ now }) => now)),
        observedAt: fetchedAt,
        undated: true,
        detail: {
          terms: `Sum of ${coins.length} USD-pegged coins`,
          ...(change === null ? {} : { change_24h: change }),
        },
      },
    ];
  },
  async past(client, from, { signal }) {
    const { data } = await client.get('/stablecoincharts/all', chart, { signal });
    return data.flatMap(({ date, totalCirculating }): Observation[] => {
      const observedAt = new Date(date * 1000);
      const value = usdIn(totalCirculating);
      return value === null || observedAt < from ? [] : [{ metric: 'stablecoins.supply', value, observedAt }];
    });
  },
};
