import type { Coin } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR, MARKET_START, MINUTE } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { decimals } from './json-rpc.ts';

const SPANS = { '15m': 15 * MINUTE, '30m': 30 * MINUTE, '1h': HOUR, '6h': 6 * HOUR, '12h': 12 * HOUR, '24h': DAY };
const LONG_SPANS = { '7d': 7 * DAY, '30d': 30 * DAY, '1y': 365 * DAY };

const isoSeconds = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

const paprikaId = (coin: Coin) => `${coin.symbol}-${coin.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

function ticker(market: Market, coin: Coin, rank: number, now: number) {
  const { price, volumeUsd } = market.dayStats(coin, now);
  const before = market.dayStats(coin, now - DAY).volumeUsd;
  const record = market.extremes(coin, now);
  const changes = Object.entries({ ...SPANS, ...LONG_SPANS }).map(([span, ms]) => [
    `percent_change_${span}`,
    decimals(market.changeAt(coin, now, ms), 2),
  ]);
  return {
    id: paprikaId(coin),
    name: coin.name,
    symbol: coin.symbol.toUpperCase(),
    rank,
    total_supply: Math.round(coin.totalSupply),
    max_supply: Math.round(coin.maxSupply ?? 0),
    beta_value: 1,
    first_data_at: isoSeconds(MARKET_START),
    last_updated: isoSeconds(now),
    quotes: {
      USD: {
        price,
        volume_24h: volumeUsd,
        volume_24h_change_24h: decimals(100 * (volumeUsd / before - 1), 2),
        market_cap: Math.round(price * coin.circulatingSupply),
        market_cap_change_24h: decimals(market.changeAt(coin, now, DAY), 2),
        ...Object.fromEntries(changes),
        ath_price: record.high,
        ath_date: isoSeconds(record.highAt),
        percent_from_price_ath: decimals(100 * (price / record.high - 1), 2),
      },
    },
  };
}

/** The highest of 53 weekly samples of the total over all coins, including now. */
function yearlyHigh(now: number, valueAt: (ms: number) => number) {
  const weeks = [now, ...Array.from({ length: 52 }, (_, i) => floorTo(now, DAY) - 7 * DAY * (i + 1))];
  const values = weeks.map((at) => ({ at, value: valueAt(at) }));
  return values.reduce((best, entry) => (entry.value > best.value ? entry : best));
}

function globalFigures(market: Market, now: number) {
  const sum = (of: (coin: Coin) => number) => market.coins.reduce((total, coin) => total + of(coin), 0);
  const capAt = (ms: number) => sum((coin) => market.marketCapAt(coin, ms));
  const volumeAt = (ms: number) => sum((coin) => market.dayStats(coin, ms).volumeUsd);
  const [cap, volume] = [capAt(now), volumeAt(now)];
  const highestCap = yearlyHigh(now, capAt);
  return {
    market_cap_usd: Math.round(cap),
    volume_24h_usd: Math.round(volume),
    bitcoin_dominance_percentage: decimals((100 * market.marketCapAt('bitcoin', now)) / cap, 2),
    cryptocurrencies_number: market.coins.length,
    market_cap_ath_value: Math.round(highestCap.value),
    market_cap_ath_date: isoSeconds(highestCap.at),
    volume_24h_ath_value: Math.round(volume),
    volume_24h_ath_date: isoSeconds(now),
    volume_24h_percent_from_ath: 0,
    volume_24h_percent_to_ath: 0,
    market_cap_change_24h: decimals(100 * (cap / capAt(now - DAY) - 1), 2),
    volume_24h_change_24h: decimals(100 * (volume / volumeAt(now - DAY) - 1), 2),
    last_updated: Math.floor(now / 1000),
  };
}

type Row = { max_supply: unknown; quotes: { USD: Record<string, unknown> } };

function withNulls(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((row: Row, i) => {
    const quote = { ...row.quotes.USD };
    if (i % 6 === 4) quote['ath_price'] = quote['ath_date'] = quote['percent_from_price_ath'] = null;
    if (i % 5 === 2) quote['volume_24h'] = quote['volume_24h_change_24h'] = null;
    if (i % 7 === 3) quote['market_cap'] = null;
    return { ...row, max_supply: i % 4 === 1 ? null : row.max_supply, quotes: { USD: quote } };
  });
}

export function coinpaprika(market: Market): Provider {
  const base = '/coinpaprika/v1';
  return {
    id: 'coinpaprika',
    base,
    env: { COINPAPRIKA_BASE_URL: { scheme: 'http', path: base } },
    routes: [
      {
        path: '/tickers',
        handle: ({ query, now }) => {
          if ((query.get('quotes') ?? 'USD') !== 'USD') return { status: 400, body: { error: 'invalid quotes' } };
          const at = floorTo(now, MINUTE);
          const limit = Math.min(Number(query.get('limit')) || 2000, 2000);
          const rows = market.ranking(at).slice(0, limit);
          return { body: rows.map((coin, i) => ticker(market, coin, i + 1, at)) };
        },
      },
      {
        path: '/tickers/:id',
        handle: ({ params, now }) => {
          const at = floorTo(now, MINUTE);
          const ranking = market.ranking(at);
          const i = ranking.findIndex((coin) => paprikaId(coin) === params['id']);
          const coin = ranking[i];
          if (!coin) return { status: 404, body: { error: 'id not found' } };
          return { body: ticker(market, coin, i + 1, at) };
        },
      },
      { path: '/global', handle: ({ now }) => ({ body: globalFigures(market, floorTo(now, MINUTE)) }) },
    ],
    notFound: { status: 404, body: { error: 'not found' } },
    rateLimited: { error: 'Too many requests. Please slow down or upgrade your plan.' },
    serverError: { error: 'internal server error' },
    withNulls: (path, body) => (path === '/tickers' ? withNulls(body) : body),
  };
}
