import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins, fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { HOUR } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { priceText } from './contracts.ts';

const LISTED = 25;
const TRADED = 0.008;

const nameOf = ({ symbol }: Coin) => (symbol === 'btc' ? 'XBT' : symbol.toUpperCase());

function ticker(market: Market, coin: Coin, now: number) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const round = (value: number) => Number(priceText(coin, value));
  const volume = volumeUsd * TRADED;
  /** Hourly rate per coin, in dollars. */
  const absolute = (ms: number) => (fundingAt(market, 'krakenFutures', coin, ms) / 8) * market.priceAt(coin, ms);
  return {
    symbol: `PF_${nameOf(coin)}USD`,
    last: round(price),
    lastTime: new Date(now).toISOString(),
    tag: 'perpetual',
    pair: `${nameOf(coin)}:USD`,
    markPrice: markAt(market, 'krakenFutures', coin, now),
    bid: round(price * 0.9999),
    bidSize: 0.42,
    ask: round(price * 1.0001),
    askSize: 0.38,
    vol24h: Number((volume / ((high + low) / 2)).toFixed(4)),
    volumeQuote: Number(volume.toFixed(4)),
    openInterest: Number((openInterestAt(market, 'krakenFutures', coin, now) / price).toFixed(4)),
    open24h: round(open),
    high24h: round(high),
    low24h: round(low),
    lastSize: 0.01,
    fundingRate: absolute(now),
    fundingRatePrediction: absolute(now - HOUR),
    suspended: false,
    indexPrice: price,
    postOnly: false,
    change24h: Number((100 * (price / open - 1)).toFixed(2)),
  };
}

export function krakenFutures(market: Market): Provider {
  const coins = contractCoins(market).slice(0, LISTED);
  const failed = (error: string) => ({ result: 'error', error, errors: [error] });
  return {
    id: 'kraken-futures',
    base: '/kraken-futures',
    env: { KRAKEN_FUTURES_BASE_URL: { scheme: 'http', path: '/kraken-futures' } },
    routes: [
      {
        path: '/derivatives/api/v3/tickers',
        handle: ({ now }) => {
          const serverTime = new Date(now).toISOString();
          const index = { symbol: 'in_xbtusd', last: market.priceAt('bitcoin', now), lastTime: serverTime };
          const tickers = coins.map((coin) => ticker(market, coin, now));
          return { body: { result: 'success', serverTime, tickers: [...tickers, index] } };
        },
      },
    ],
    notFound: { status: 404, body: failed('notFound') },
    rateLimited: failed('apiLimitExceeded'),
    serverError: failed('Server Error'),
    withNulls: (_path, body) => {
      const { tickers, ...rest } = body as { tickers: object[] };
      return {
        ...rest,
        tickers: tickers.map((row, i) => (i % 4 === 1 ? { ...row, fundingRate: null, last: null } : row)),
      };
    },
  };
}
