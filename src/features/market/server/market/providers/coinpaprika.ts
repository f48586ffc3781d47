import { z } from 'zod';
import { TRACKED } from '#features/market/contract/market.ts';
import type { Config } from '#kernel/config.ts';
import type { SourceClient, SourceOptions } from '#kernel/http/http-client.ts';
import type { KnownCoin, ListedCoin, ListingProvider } from '../types.ts';

export function coinpaprikaSource({ COINPAPRIKA_BASE_URL }: Config): Omit<SourceOptions, 'name'> {
  return {
    baseUrl: COINPAPRIKA_BASE_URL,
    perMinute: 20,
    burst: 4,
    timeoutMs: 15_000,
    parseError: (body) => {
      const error = (body as { error?: unknown } | null)?.error;
      return typeof error === 'string' ? (/limit/i.test(error) ? 'rate_limited' : error) : null;
    },
  };
}

const ticker = z.object({
  id: z.string().min(1),
  name: z.string(),
  symbol: z.string(),
  rank: z.number().int().nullish(),
  max_supply: z.number().nullish(),
  last_updated: z.string().nullish(),
  quotes: z.object({
    USD: z.object({
      price: z.number().nullish(),
      volume_24h: z.number().nullish(),
      market_cap: z.number().nullish(),
      percent_change_24h: z.number().nullish(),
      percent_change_7d: z.number().nullish(),
    }),
  }),
});

const known = (value: number | null | undefined): number | null => (value && value > 0 ? value : null);
const SAME_COIN = 0.15;

/** CoinPaprika has its own ids ('btc-bitcoin'): a coin is matched by symbol and price, else its slug becomes the id. */
export function matchId(
  row: { id: string; symbol: string; price: number },
  bySymbol: Map<string, KnownCoin[]>,
): string {
  const symbol = row.symbol.toUpperCase();
  const tracked = TRACKED.find((coin) => coin.symbol === symbol);
  const candidates = bySymbol.get(symbol) ?? [];
  const match = candidates.find(({ price }) => price === null || Math.abs(row.price / price - 1) < SAME_COIN);
  if (match) return match.id;
  if (tracked && candidates.length === 0 && row.id.startsWith(`${symbol.toLowerCase()}-`)) return tracked.id;
  return row.id.replace(/^[a-z0-9]+-/, '') || row.id;
}

/** GET /tickers: the fallback price list when CoinGecko fails. */
export function coinpaprikaListing(client: SourceClient): ListingProvider {
  return {
    source: 'coinpaprika',
    async list({ limit, known: coins, signal }) {
      const { data, fetchedAt } = await client.get('/tickers', z.array(ticker), {
        query: { quotes: 'USD', limit },
        signal,
      });
      const bySymbol = Map.groupBy(coins, (coin) => coin.symbol);
      const taken = new Set<string>();
      const listed = data.slice(0, limit).flatMap((row): ListedCoin[] => {
        const usd = row.quotes.USD;
        const observedMs = Date.parse(row.last_updated ?? '');
        if (!usd.price || usd.price <= 0 || Number.isNaN(observedMs)) return [];
        const id = matchId({ id: row.id, symbol: row.symbol, price: usd.price }, bySymbol);
        if (taken.has(id)) return [];
        taken.add(id);
        const cap = known(usd.market_cap);
        return [
          {
            id,
            symbol: row.symbol.toUpperCase(),
            name: row.name,
            rank: row.rank ?? null,
            price: usd.price,
            change_24h: usd.percent_change_24h ?? null,
            change_7d: usd.percent_change_7d ?? null,
            low_24h: null,
            high_24h: null,
            volume_24h: known(usd.volume_24h),
            market_cap: cap,
            // Tickers have the total supply only.
            circulating_supply: cap === null ? null : cap / usd.price,
            max_supply: known(row.max_supply),
            observedAt: new Date(Math.min(observedMs, fetchedAt.getTime())),
          },
        ];
      });
      return { source: 'coinpaprika', coins: listed, fetchedAt, method: 'measured', supplyMethod: 'computed' };
    },
  };
}
