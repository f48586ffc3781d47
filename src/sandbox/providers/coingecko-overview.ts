import type { Coin, Sector } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR } from '#sandbox/market/time.ts';
import { decimals, roundListed } from './json-rpc.ts';

/** Spans supported by `price_change_percentage`. */
export const SPANS: ReadonlyMap<string, number> = new Map([
  ['1h', HOUR],
  ['24h', DAY],
  ['7d', 7 * DAY],
  ['14d', 14 * DAY],
  ['30d', 30 * DAY],
  ['200d', 200 * DAY],
  ['1y', 365 * DAY],
]);

/** Fields present even for a coin without a price. */
const ALWAYS = new Set(['id', 'symbol', 'name', 'image', 'last_updated', 'circulating_supply', 'sparkline_in_7d']);

const SPARKLINE_POINTS = 168;

const imageOf = (coin: Coin, size: string): string =>
  `https://coin-images.coingecko.com/coins/images/${coin.index + 1}/${size}/${coin.id}.png`;

/** Hourly closes of the last seven days, oldest first. */
function sparkline(market: Market, coin: Coin, now: number): number[] {
  const last = floorTo(now, HOUR);
  return Array.from({ length: SPARKLINE_POINTS }, (_, i) =>
    market.priceAt(coin, last - (SPARKLINE_POINTS - 1 - i) * HOUR),
  );
}

type MarketRowOptions = {
  rank: number;
  now: number;
  spans: readonly string[];
  withSparkline: boolean;
  full: boolean;
};

/** One row of /coins/markets. */
export function marketRow(market: Market, coin: Coin, { rank, now, spans, withSparkline, full }: MarketRowOptions) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const record = market.extremes(coin, now);
  const round = full ? (value: number) => value : roundListed;
  const supply = coin.circulatingSupply;
  const change = 100 * (price / open - 1);
  const changes = spans.map((span) => [
    `price_change_percentage_${span}_in_currency`,
    span === '24h' ? change : market.changeAt(coin, now, SPANS.get(span) ?? DAY),
  ]);
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: imageOf(coin, 'large'),
    current_price: round(price),
    market_cap: Math.round(price * supply),
    market_cap_rank: rank,
    fully_diluted_valuation: Math.round(price * (coin.maxSupply ?? coin.totalSupply)),
    total_volume: Math.round(volumeUsd),
    high_24h: round(high),
    low_24h: round(low),
    price_change_24h: price - open,
    price_change_percentage_24h: decimals(change, 5),
    market_cap_change_24h: (price - open) * supply,
    market_cap_change_percentage_24h: decimals(change, 5),
    circulating_supply: supply,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    ath: round(record.high),
    ath_change_percentage: decimals(100 * (price / record.high - 1), 5),
    ath_date: new Date(record.highAt).toISOString(),
    atl: round(record.low),
    atl_change_percentage: decimals(100 * (price / record.low - 1), 5),
    atl_date: new Date(record.lowAt).toISOString(),
    roi: null,
    last_updated: new Date(now).toISOString(),
    ...(withSparkline ? { sparkline_in_7d: { price: sparkline(market, coin, now) } } : {}),
    ...Object.fromEntries(changes),
  };
}

type Row = Record<string, unknown>;

const THIN: readonly (readonly [every: number, at: number, fields: readonly string[]])[] = [
  [7, 3, ['market_cap', 'market_cap_rank', 'market_cap_change_24h', 'market_cap_change_percentage_24h']],
  [5, 2, ['total_volume']],
  [6, 4, ['price_change_percentage_7d_in_currency']],
  [4, 1, ['max_supply', 'fully_diluted_valuation']],
];

/** Newly listed and barely traded coins lack single figures, and every tenth coin lacks all. */
export function withNulls(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((row: Row, i) => {
    const thin: Row = { ...row };
    for (const [every, at, fields] of THIN) {
      if (i % every === at) for (const field of fields) if (field in thin) thin[field] = null;
    }
    if (i % 10 !== 9) return thin;
    return Object.fromEntries(Object.entries(thin).map(([key, value]) => [key, ALWAYS.has(key) ? value : null]));
  });
}

const CATEGORIES: Readonly<Record<Sector, string>> = {
  'layer-1': 'Layer 1 (L1)',
  'layer-2': 'Layer 2 (L2)',
  'decentralized-finance-defi': 'Decentralized Finance (DeFi)',
  'meme-token': 'Meme',
  'artificial-intelligence': 'Artificial Intelligence (AI)',
  stablecoins: 'Stablecoins',
  'exchange-based-tokens': 'Exchange-based Tokens',
  'real-world-assets-rwa': 'Real World Assets (RWA)',
  gaming: 'Gaming (GameFi)',
  infrastructure: 'Infrastructure',
  'privacy-coins': 'Privacy',
  depin: 'DePIN',
  'tokenized-gold': 'Tokenized Gold',
  'liquid-staking-tokens': 'Liquid Staking Tokens',
  'wrapped-tokens': 'Wrapped-Tokens',
};

type CategoryFigures = { name: string; market_cap: number; market_cap_change_24h: number };

const CATEGORY_ORDERS = {
  market_cap_desc: (a, b) => b.market_cap - a.market_cap,
  market_cap_asc: (a, b) => a.market_cap - b.market_cap,
  market_cap_change_24h_desc: (a, b) => b.market_cap_change_24h - a.market_cap_change_24h,
  market_cap_change_24h_asc: (a, b) => a.market_cap_change_24h - b.market_cap_change_24h,
  name_asc: (a, b) => (a.name < b.name ? -1 : 1),
  name_desc: (a, b) => (a.name < b.name ? 1 : -1),
} satisfies Record<string, (a: CategoryFigures, b: CategoryFigures) => number>;
type CategoryOrder = keyof typeof CATEGORY_ORDERS;

export const isCategoryOrder = (text: string): text is CategoryOrder => Object.hasOwn(CATEGORY_ORDERS, text);

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

/** Totals over many coins now, a day ago and an hour ago. */
function sums(market: Market, coins: readonly Coin[], now: number) {
  const total = (ms: number) => coins.reduce((sum, coin) => sum + market.marketCapAt(coin, ms), 0);
  const volume = coins.reduce((sum, coin) => sum + market.dayStats(coin, now).volumeUsd, 0);
  const [cap, before, anHourAgo] = [total(now), total(now - DAY), total(now - HOUR)];
  return { cap, volume, change24h: 100 * (cap / before - 1), change1h: 100 * (cap / anHourAgo - 1) };
}

/** One row of /coins/categories for each sector. */
export function categories(market: Market, now: number, order: CategoryOrder) {
  const ranking = market.ranking(now);
  const rows = Object.entries(CATEGORIES).map(([id, name]) => {
    const members = ranking.filter((coin) => coin.sector === id);
    const { cap, volume, change24h } = sums(market, members, now);
    const top = members.slice(0, 3);
    return {
      id,
      name,
      market_cap: cap,
      market_cap_change_24h: change24h,
      content: `Coins of the category ${name}.`,
      top_3_coins_id: top.map((coin) => coin.id),
      top_3_coins: top.map((coin) => imageOf(coin, 'small')),
      volume_24h: volume,
      updated_at: new Date(now).toISOString(),
    };
  });
  return rows.toSorted(CATEGORY_ORDERS[order]);
}

/** Body of /global: totals over every coin of the market. */
export function globalFigures(market: Market, now: number) {
  const { cap, volume, change24h } = sums(market, market.coins, now);
  const before = market.coins.reduce((sum, coin) => sum + market.dayStats(coin, now - DAY).volumeUsd, 0);
  const inEach = (value: number) => ({
    btc: value / market.priceAt('bitcoin', now),
    eth: value / market.priceAt('ethereum', now),
    usd: value,
  });
  const largest = market.ranking(now).slice(0, 10);
  return {
    data: {
      active_cryptocurrencies: market.coins.length,
      upcoming_icos: 0,
      ongoing_icos: 0,
      ended_icos: 0,
      markets: 2,
      total_market_cap: inEach(cap),
      total_volume: inEach(volume),
      market_cap_percentage: Object.fromEntries(
        largest.map((coin) => [coin.symbol, (100 * market.marketCapAt(coin, now)) / cap]),
      ),
      market_cap_change_percentage_24h_usd: change24h,
      volume_change_percentage_24h_usd: 100 * (volume / before - 1),
      updated_at: Math.floor(now / 1000),
    },
  };
}

function trendingCoin(market: Market, coin: Coin, score: number, rank: number, now: number) {
  const btc = market.priceAt('bitcoin', now);
  const { price, open, volumeUsd } = market.dayStats(coin, now);
  const cap = price * coin.circulatingSupply;
  const usdChange = 100 * (price / open - 1);
  const btcChange = 100 * (price / btc / (open / market.priceAt('bitcoin', now - DAY)) - 1);
  return {
    item: {
      id: coin.id,
      coin_id: coin.index + 1,
      name: coin.name,
      symbol: coin.symbol.toUpperCase(),
      market_cap_rank: rank,
      thumb: imageOf(coin, 'standard'),
      small: imageOf(coin, 'small'),
      large: imageOf(coin, 'large'),
      slug: coin.id,
      price_btc: price / btc,
      score,
      data: {
        price,
        price_btc: (price / btc).toFixed(18),
        price_change_percentage_24h: { btc: btcChange, usd: usdChange },
        market_cap: usd.format(cap),
        market_cap_btc: String(cap / btc),
        total_volume: usd.format(volumeUsd),
        total_volume_btc: String(volumeUsd / btc),
        sparkline: `https://www.coingecko.com/coins/${coin.index + 1}/sparkline.svg`,
        content: null,
      },
    },
  };
}

/** Trending searches: the largest moves of the day, and their sectors. */
export function trending(market: Market, now: number) {
  const ranking = market.ranking(now);
  const move = (coin: Coin) => Math.abs(market.changeAt(coin, now, DAY));
  const moves = new Map(ranking.map((coin) => [coin, move(coin)]));
  const hottest = ranking.toSorted((a, b) => (moves.get(b) ?? 0) - (moves.get(a) ?? 0)).slice(0, 15);
  const sectors = [...new Set(hottest.map((coin) => coin.sector))].slice(0, 6);
  const btc = market.priceAt('bitcoin', now);
  return {
    coins: hottest.map((coin, score) => trendingCoin(market, coin, score, ranking.indexOf(coin) + 1, now)),
    nfts: [],
    categories: sectors.map((sector, i) => {
      const members = ranking.filter((coin) => coin.sector === sector);
      const { cap, volume, change24h, change1h } = sums(market, members, now);
      return {
        id: i + 1,
        name: CATEGORIES[sector],
        top_3_coins_images: members.slice(0, 3).map((coin) => imageOf(coin, 'small')),
        market_cap_1h_change: change1h,
        slug: sector,
        coins_count: String(members.length),
        data: {
          market_cap: cap,
          market_cap_btc: cap / btc,
          total_volume: volume,
          total_volume_btc: volume / btc,
          market_cap_change_percentage_24h: { btc: change24h - market.changeAt('bitcoin', now, DAY), usd: change24h },
          sparkline: `https://www.coingecko.com/categories/${i + 1}/sparkline.svg`,
        },
      };
    }),
  };
}
