import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins, fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

const TRADED = 0.06;

/** Coins with a tiny price are quoted per thousand. */
const nameOf = ({ symbol, basePrice }: Coin) => (basePrice < 1e-4 ? `k${symbol.toUpperCase()}` : symbol.toUpperCase());

const sizeDigits = (price: number) => Math.max(0, Math.min(5, Math.floor(Math.log10(price)) + 1));

/** Prices have five significant digits. */
const priceText = (value: number) => String(Number(value.toPrecision(5)));

function context(market: Market, coin: Coin, now: number) {
  const { price, open, volumeUsd } = market.dayStats(coin, now);
  const unit = coin.basePrice < 1e-4 ? 1000 : 1;
  const mark = markAt(market, 'hyperliquid', coin, now);
  const volume = volumeUsd * TRADED;
  return {
    funding: String(Number((fundingAt(market, 'hyperliquid', coin, now) / 8).toFixed(10))),
    openInterest: (openInterestAt(market, 'hyperliquid', coin, now) / price / unit).toFixed(sizeDigits(price)),
    prevDayPx: priceText(open * unit),
    dayNtlVlm: volume.toFixed(6),
    premium: (mark / price - 1).toFixed(8),
    oraclePx: priceText(price * unit),
    markPx: priceText(mark * unit),
    midPx: priceText(price * unit),
    impactPxs: [priceText(price * unit * 0.9999), priceText(price * unit * 1.0001)],
    dayBaseVlm: (volume / price / unit).toFixed(sizeDigits(price)),
  };
}

function universe(market: Market) {
  return contractCoins(market).map((coin) => ({
    szDecimals: sizeDigits(coin.basePrice),
    name: nameOf(coin),
    maxLeverage: coin.index < 2 ? 40 : 10,
    marginTableId: coin.index < 2 ? 56 : 10,
  }));
}

export function hyperliquid(market: Market): Provider {
  const meta = { universe: universe(market), marginTables: [], collateralToken: 0 };
  const handle = ({ json, now }: Call) => {
    const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : undefined;
    if (type === 'meta') return { body: meta };
    if (type !== 'metaAndAssetCtxs') {
      throw new ReplyError({ status: 422, body: 'Failed to deserialize the JSON body into the target type' });
    }
    return { body: [meta, contractCoins(market).map((coin) => context(market, coin, now))] };
  };
  return {
    id: 'hyperliquid',
    base: '/hyperliquid',
    env: { HYPERLIQUID_BASE_URL: { scheme: 'http', path: '/hyperliquid' } },
    routes: [{ path: '/info', handle }],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: 'null',
    serverError: 'Internal Server Error',
    withNulls: (_path, body) => {
      const [head, contexts] = body as [unknown, object[]];
      return [
        head,
        contexts.map((row, i) => (i % 5 === 2 ? { ...row, midPx: null, premium: null, impactPxs: null } : row)),
      ];
    },
  };
}
