import { z } from 'zod';

import type { Config } from '#kernel/config.ts';
import type { ProviderError, SourceClient, SourceOptions } from '#kernel/http/http-client.ts';

import { coingeckoQuota } from '../coingecko-quota.ts';
import type { Bar, CandleProvider, ListedCoin, ListingProvider } from '../types.ts';

/** The body of a refusal, seen with both 429 and 200. */
function refusal(body: unknown): ProviderError | null {
  const status = (body as { status?: { error_code?: number; error_message?: string } } | null)?.status;
  if (!status?.error_code) return null;
  return status.error_code === 429 ? 'rate_limited' : (status.error_message ?? `error ${status.error_code}`);
}

export function coingeckoSource(config: Config): Omit<SourceOptions, 'name'> {
  const { COINGECKO_BASE_URL: baseUrl, COINGECKO_API_KEY: key } = config;
  const { plan, perMinute, burst, perMonth } = coingeckoQuota(config);
  return {
    baseUrl,
    headers: key ? { [plan === 'paid' ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key } : {},
    perMinute,
    burst,
    perMonth,
    timeoutMs: 15_000,
    parseError: refusal,
  };
}

const positive = z.number().positive();
const marketRow = z.object({
  id: z.string().min(1),
  symbol: z.string().min(1),
  name: z.string().min(1),
  current_price: positive.nullish(),
  market_cap: z.number().nullish(),
  market_cap_rank: z.number().int().nullish(),
  total_volume: z.number().nullish(),
  high_24h: z.number().nullish(),
  low_24h: z.number().nullish(),
  price_change_percentage_24h: z.number().nullish(),
  price_change_percentage_7d_in_currency: z.number().nullish(),
  circulating_supply: z.number().nullish(),
  max_supply: z.number().nullish(),
  last_updated: z.iso.datetime({ offset: true }).nullish(),
  sparkline_in_7d: z.object({ price: z.array(z.number().nullable()) }).nullish(),
});

/** Zero caps, volumes and supplies mean "unknown" here, never zero. */
const known = (value: number | null | undefined): number | null => (value && value > 0 ? value : null);

function toListed(row: z.output<typeof marketRow>, fetchedAt: Date): ListedCoin[] {
  if (!row.current_price || !row.last_updated) return [];
  const points = row.sparkline_in_7d?.price.filter((point): point is number => point !== null && point > 0);
  const observedAt = new Date(Math.min(Date.parse(row.last_updated), fetchedAt.getTime()));
  return [
    {
      id: row.id,
      symbol: row.symbol.toUpperCase(),
      name: row.name,
      rank: row.market_cap_rank ?? null,
      price: row.current_price,
      change_24h: row.price_change_percentage_24h ?? null,
      change_7d: row.price_change_percentage_7d_in_currency ?? null,
      low_24h: known(row.low_24h),
      high_24h: known(row.high_24h),
      volume_24h: known(row.total_volume),
      market_cap: known(row.market_cap),
      circulating_supply: known(row.circulating_supply),
      max_supply: known(row.max_supply),
      observedAt,
      ...(points && points.length >= 24 ? { sparkline: points } : {}),
    },
  ];
}

/** GET /coins/markets: prices in USD, changes in percent. Rows without a price or a time are omitted. */
export function coingeckoListing(client: SourceClient): ListingProvider {
  return {
    source: 'coingecko',
    async list({ limit, sparkline, signal }) {
      const perPage = Math.min(250, limit);
      const coins: ListedCoin[] = [];
      let fetchedAt = new Date(0);
      for (let page = 1; coins.length < limit && page <= Math.ceil(limit / perPage); page++) {
        const answer = await client.get('/coins/markets', z.array(marketRow), {
          query: {
            vs_currency: 'usd',
            order: 'market_cap_desc',
            per_page: perPage,
            page,
            sparkline,
            price_change_percentage: '24h,7d',
          },
          signal,
        });
        fetchedAt = answer.fetchedAt;
        coins.push(...answer.data.flatMap((row) => toListed(row, answer.fetchedAt)));
        if (answer.data.length < perPage) break;
      }
      return {
        source: 'coingecko',
        coins: coins.slice(0, limit),
        fetchedAt,
        method: 'measured',
        supplyMethod: 'measured',
      };
    },
  };
}

/** Limit without a key. */
const DAYS_BACK = 365;
const series = z.array(z.tuple([z.number(), z.number().nullable()]));
const marketChart = z.object({ prices: series, total_volumes: series });

/** GET /coins/{id}/market_chart: closes only, so bars run from the previous close; method computed. */
export function coingeckoCandles(client: SourceClient): CandleProvider {
  return {
    source: 'coingecko',
    daysBack: DAYS_BACK,
    method: 'computed',
    async bars(coin, interval, from, to, signal) {
      const days = Math.max(1, Math.ceil((to.getTime() - from.getTime()) / 86_400_000));
      const query = {
        vs_currency: 'usd',
        days:
          interval === '5m'
            ? 1
            : interval === '1h'
              ? Math.min(90, Math.max(2, days))
              : Math.min(DAYS_BACK, Math.max(91, days)),
      };
      const { data } = await client.get(`/coins/${encodeURIComponent(coin.id)}/market_chart`, marketChart, {
        query,
        // Lists include coins without a chart.
        allowNotFound: true,
        isDeferrable: true,
        signal,
      });
      return toBars(data.prices, interval).filter((bar) => bar.at >= from && bar.at <= to);
    },
  };
}

const STEP_MS = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 };

function toBars(points: [number, number | null][], interval: keyof typeof STEP_MS): Bar[] {
  const step = STEP_MS[interval];
  const bars = new Map<number, Bar>();
  let previous: number | null = null;
  for (const [time, close] of points) {
    if (close === null || close <= 0) continue;
    const start = Math.floor((time - 1) / step) * step;
    const open: number = bars.get(start)?.open ?? previous ?? close;
    const seen = bars.get(start);
    bars.set(start, {
      at: new Date(start),
      open,
      high: Math.max(open, close, seen?.high ?? 0),
      low: Math.min(open, close, seen?.low ?? Number.POSITIVE_INFINITY),
      close,
      volume: null,
      minutes: step / 60_000,
    });
    previous = close;
  }
  return [...bars.values()];
}
