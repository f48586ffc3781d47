import type { Coin } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import { perMarket, stablecoinsOf, supplyAt } from '#sandbox/market/signals.ts';
import { DAY, floorTo, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

const BACKED: Readonly<Record<string, string>> = { dai: 'crypto-backed', 'ethena-usde': 'algorithmic' };
const CHAINS: readonly (readonly [name: string, part: number])[] = [
  ['Ethereum', 0.56],
  ['Tron', 0.29],
  ['Solana', 0.09],
  ['BSC', 0.06],
];
/** One coin that is not pegged to the dollar: totals must leave it out. */
const EURO = { id: '50', name: 'EURC', symbol: 'EURC', gecko_id: 'euro-coin', price: 1.09, supply: 310e6 };

const usd = (value: number) => ({ peggedUSD: value });

const SPANS = { circulating: 0, circulatingPrevDay: DAY, circulatingPrevWeek: 7 * DAY, circulatingPrevMonth: 30 * DAY };

function asset(market: Market, coin: Coin, i: number, now: number, withPrice: boolean) {
  const past = Object.entries(SPANS).map(([name, span]) => [name, supplyAt(market, coin, now - span)] as const);
  return {
    id: String(i + 1),
    name: coin.name,
    symbol: coin.symbol.toUpperCase(),
    gecko_id: coin.id,
    pegType: 'peggedUSD',
    priceSource: 'defillama',
    pegMechanism: BACKED[coin.id] ?? 'fiat-backed',
    ...Object.fromEntries(past.map(([name, value]) => [name, usd(value)])),
    chainCirculating: Object.fromEntries(
      CHAINS.map(([chain, part]) => [
        chain,
        Object.fromEntries(
          past.map(([name, value]) => [name === 'circulating' ? 'current' : name, usd(Math.round(value * part))]),
        ),
      ]),
    ),
    chains: CHAINS.map(([chain]) => chain),
    ...(withPrice ? { price: market.priceAt(coin, now) } : {}),
  };
}

function euro(withPrice: boolean) {
  const { supply, price, ...rest } = EURO;
  const balances = { peggedEUR: supply };
  return {
    ...rest,
    pegType: 'peggedEUR',
    priceSource: 'defillama',
    pegMechanism: 'fiat-backed',
    circulating: balances,
    circulatingPrevDay: balances,
    circulatingPrevWeek: balances,
    circulatingPrevMonth: balances,
    chainCirculating: {},
    chains: ['Ethereum'],
    ...(withPrice ? { price } : {}),
  };
}

function total(market: Market, at: number): number {
  return stablecoinsOf(market).reduce((sum, coin) => sum + supplyAt(market, coin, at), 0);
}

function chartPoint(market: Market, day: number) {
  const supply = Math.round(total(market, day * DAY));
  const [dollars, euros] = [usd(supply), { peggedEUR: EURO.supply }];
  return {
    date: String((day * DAY) / 1000),
    totalCirculating: { ...dollars, ...euros },
    totalUnreleased: usd(0),
    totalCirculatingUSD: { ...dollars, peggedEUR: Math.round(EURO.supply * EURO.price) },
    totalMintedUSD: usd(0),
    totalBridgedToUSD: usd(0),
  };
}

const chartOf = perMarket(() => [] as ReturnType<typeof chartPoint>[]);

/** Every day at 00:00 UTC since the market began, oldest first. */
function chart(market: Market, now: number) {
  const points = chartOf(market);
  const count = Math.floor((now - MARKET_START) / DAY) + 1;
  for (let i = points.length; i < count; i++) points.push(chartPoint(market, MARKET_START / DAY + i));
  return points.slice(0, Math.max(0, count));
}

export function stablecoinsLlama(market: Market): Provider {
  return {
    id: 'stablecoins-llama',
    base: '/stablecoins-llama',
    env: { STABLECOINS_LLAMA_BASE_URL: { scheme: 'http', path: '/stablecoins-llama' } },
    routes: [
      {
        path: '/stablecoins',
        handle: ({ query, now }) => {
          const [at, withPrice] = [floorTo(now, HOUR / 4), query.get('includePrices') === 'true'];
          const coins = stablecoinsOf(market).map((coin, i) => asset(market, coin, i, at, withPrice));
          return { body: { peggedAssets: [...coins, euro(withPrice)], chains: [] } };
        },
      },
      { path: '/stablecoincharts/all', handle: ({ now }) => ({ body: chart(market, now) }) },
    ],
    notFound: { status: 404, body: { message: 'Not Found' } },
    rateLimited: { message: 'Too Many Requests' },
    serverError: { message: 'Internal Server Error' },
    withNulls: (path, body) => (path === '/stablecoins' ? withNulls(body) : body),
  };
}

/** Recently listed coins have no history, and one has no price. */
function withNulls(body: unknown): unknown {
  const { peggedAssets, ...rest } = body as { peggedAssets: object[] };
  const thin = peggedAssets.map((row, i) =>
    i % 3 === 2 ? { ...row, price: null, circulatingPrevDay: null, circulatingPrevMonth: null } : row,
  );
  return { ...rest, peggedAssets: thin };
}
