import { type CryptoPrice, type MarketTotals, type SourceHealth, TRACKED } from '#features/market/contract/market.ts';
import type { Provenance } from '#shared/provenance.ts';
import type { Frame } from './tick-store.ts';

/** Data for tests, at one fixed noon. */
export const NOON = Date.parse('2026-11-21T12:00:00Z');

const iso = (ms: number) => new Date(ms).toISOString();

export const meta = (change: Partial<Provenance> & { observedMs?: number } = {}): Provenance => {
  const { observedMs = NOON - 12_000, ...rest } = change;
  return {
    source: 'coingecko',
    observedAt: iso(observedMs),
    fetchedAt: iso(observedMs + 500),
    method: 'measured',
    staleAfter: iso(observedMs + 600_000),
    ...rest,
  };
};

export const coin = (change: Partial<CryptoPrice> & { id: string }): CryptoPrice => ({
  symbol: change.id.slice(0, 4).toUpperCase(),
  name: change.id,
  rank: 1,
  price: 100,
  change_24h: 1.5,
  change_7d: -2.25,
  low_24h: 90,
  high_24h: 110,
  volume_24h: 1e9,
  market_cap: 1e10,
  meta: meta(),
  listing: meta(),
  ...change,
});

const FIGURES = [
  ['Bitcoin', 97_412.5, 1.84, 1.93e12],
  ['Ethereum', 3284.17, 2.61, 3.95e11],
  ['Solana', 214.86, -1.12, 1.04e11],
  ['Sui', 3.94, 5.37, 1.3e10],
  ['XRP', 2.18, -0.46, 1.25e11],
] as const;

export const top: CryptoPrice[] = TRACKED.map(({ id, symbol }, i) => {
  const [name, price, change_24h, market_cap] = FIGURES[i] ?? FIGURES[0];
  return coin({ id, symbol, name, price, change_24h, market_cap, rank: i + 1 });
});

export const others: CryptoPrice[] = [
  coin({ id: 'dogecoin', symbol: 'DOGE', name: 'Dogecoin', price: 0.1832, change_24h: -4.2, market_cap: 2.7e10 }),
  coin({ id: 'cardano', symbol: 'ADA', name: 'Cardano', price: 0.742, change_24h: 9.1, market_cap: 2.6e10 }),
  coin({ id: 'quiet', symbol: 'QUIET', name: 'Quiet', price: 1.5, change_24h: null, market_cap: null }),
];

export const totals: MarketTotals = {
  market_cap: 3.42e12,
  volume_24h: 1.486e11,
  change_24h: 1.31,
  coins: top.length + others.length,
  meta: meta(),
};

export const source = (id: string, name: string, state: SourceHealth['state'] = 'ok'): SourceHealth => ({
  id,
  name,
  gives: 'Prices',
  state,
  note: null,
  lastSuccessAt: iso(NOON),
  lastFailureAt: null,
});

export const sources: SourceHealth[] = [
  source('coingecko', 'CoinGecko'),
  source('coinpaprika', 'CoinPaprika', 'waiting'),
  source('okx', 'OKX'),
  { ...source('fred', 'FRED'), gives: 'Price indexes, Treasury yields' },
];

export const frame = (...ticks: Frame['ticks']): Frame => ({ at: NOON, sources: ['binance', 'kraken'], ticks });
