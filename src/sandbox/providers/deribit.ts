import type { Coin } from '#sandbox/market/coins.ts';
import { fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { floorTo, HOUR } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';
import { FUNDING_INTERVAL_MS } from './contracts.ts';

/** Instruments settled in their own coin count in dollars, those settled in USDC in coins. */
const INVERSE = ['bitcoin', 'ethereum'] as const;
const LINEAR = ['solana', 'ripple'] as const;
const TRADED = 0.03;

/** Mean of the last eight hours, sampled hourly. */
function fundingOf8h(market: Market, coin: Coin, now: number): number {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += fundingAt(market, 'deribit', coin, now - i * HOUR);
  return sum / 8;
}

function ticker(market: Market, name: string, coin: Coin, now: number) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const mark = markAt(market, 'deribit', coin, now);
  const usd = openInterestAt(market, 'deribit', coin, now);
  const isInverse = name.endsWith('-PERPETUAL') && !name.includes('_');
  const tick = isInverse ? 0.5 : 0.001;
  const round = (value: number) => Number((Math.round(value / tick) * tick).toFixed(4));
  const traded = volumeUsd * TRADED;
  const current = fundingAt(market, 'deribit', coin, now);
  return {
    timestamp: now,
    state: 'open',
    stats: {
      high: round(high),
      low: round(low),
      price_change: Number((100 * (price / open - 1)).toFixed(4)),
      volume: Number((traded / ((high + low) / 2)).toFixed(8)),
      volume_usd: Math.round(traded),
      volume_notional: Math.round(traded),
    },
    index_price: Number(price.toFixed(4)),
    instrument_name: name,
    last_price: round(price),
    settlement_price: round(
      market.priceAt(coin, floorTo(now - FUNDING_INTERVAL_MS, 3 * FUNDING_INTERVAL_MS) + FUNDING_INTERVAL_MS),
    ),
    min_price: round(mark * 0.985),
    max_price: round(mark * 1.015),
    open_interest: isInverse ? Math.round(usd / 10) * 10 : Number((usd / price).toFixed(1)),
    mark_price: Number(mark.toFixed(4)),
    interest_value: current * 24,
    best_ask_price: round(price + tick),
    best_bid_price: round(price),
    estimated_delivery_price: Number(price.toFixed(4)),
    best_ask_amount: 186_520,
    best_bid_amount: 117_660,
    current_funding: Number(current.toFixed(8)),
    funding_8h: Number(fundingOf8h(market, coin, now).toFixed(8)),
  };
}

export function deribit(market: Market): Provider {
  const byName = new Map<string, Coin>([
    ...INVERSE.map((id) => market.get(id)).map((coin) => [`${coin.symbol.toUpperCase()}-PERPETUAL`, coin] as const),
    ...LINEAR.map((id) => market.get(id)).map((coin) => [`${coin.symbol.toUpperCase()}_USDC-PERPETUAL`, coin] as const),
  ]);
  const handle = ({ query, now }: Call) => {
    const name = query.get('instrument_name') ?? '';
    const coin = byName.get(name);
    if (!coin) {
      const data = { reason: 'wrong format', param: 'instrument_name' };
      const error = { message: 'Invalid params', data, code: -32_602 };
      throw new ReplyError({
        status: 400,
        body: { jsonrpc: '2.0', error, usIn: now * 1000, usOut: now * 1000, usDiff: 0 },
      });
    }
    const [usIn, usOut] = [now * 1000, now * 1000 + 214];
    const result = ticker(market, name, coin, now);
    return { body: { jsonrpc: '2.0', result, usIn, usOut, usDiff: usOut - usIn, testnet: false } };
  };
  const failed = (code: number, message: string) => ({ jsonrpc: '2.0', error: { message, code }, testnet: false });
  return {
    id: 'deribit',
    base: '/deribit',
    env: { DERIBIT_BASE_URL: { scheme: 'http', path: '/deribit' } },
    routes: [{ path: '/api/v2/public/ticker', handle }],
    notFound: { status: 400, body: failed(-32_601, 'Method not found') },
    rateLimited: failed(10_028, 'too_many_requests'),
    serverError: failed(11_094, 'internal_server_error'),
    withNulls: (_path, body) => {
      const { result, ...rest } = body as { result: object };
      return { ...rest, result: { ...result, last_price: null, best_bid_price: null, best_ask_price: null } };
    },
  };
}
