import {
  type CryptoPrice,
  marketTopic,
  pricesTopic,
  type SourceHealth,
  type Sparklines,
} from '#features/market/contract/market.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import { createPartitions } from '#kernel/partitions.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';
import { createBoard } from './board.ts';
import type { MarketContext } from './context.ts';
import { LISTING_FRESH_MS, methodIn, sourceName } from './names.ts';
import { coingeckoCandles, coingeckoListing } from './providers/coingecko.ts';
import { coinpaprikaListing } from './providers/coinpaprika.ts';
import { okxCandles } from './providers/okx.ts';
import { type PastMarketView, readMarketAt, readPricesAt } from './service/past-market.ts';
import { SOURCES } from './sources.ts';
import { type BarPrice, pricesAfter, pricesBefore } from './store/bars.ts';
import { lastCollectionAt, lastQuotes, listedCoins, sparklineRows } from './store/listing.ts';
import { type CloseSeries, type DailyCandle, dailyCandles, readCloses } from './store/ticks.ts';

export type { Board } from './board.ts';
export type { MarketContext } from './context.ts';
export { candlesBetween, readChart } from './service/chart.ts';
export { readCandles, readCoin, readListedDays } from './service/coins.ts';
export { startCollector } from './service/collector.ts';
export type { PastMarketView } from './service/past-market.ts';
export { createTickIntake, type TickIntake } from './service/ticks.ts';
export type { BarPrice } from './store/bars.ts';
export type { CloseSeries, DailyCandle, DailyClose } from './store/ticks.ts';

type Deps = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  sources: SourceSet;
};
export type MarketChange = 'prices' | 'listing' | 'sparklines' | 'sources';

export type Market = {
  ctx: MarketContext;
  /** Loads the market from the database, then follows the live topics. */
  start: () => Promise<void>;
  /** Reloads everything from the database. */
  reload: () => Promise<void>;
  onChange: (handler: (change: MarketChange) => void) => void;
  sources: () => SourceHealth[];
  sparklines: () => Sparklines;
  lastCollectionAt: () => string | null;
  /** USD of the coin with the largest cap of that symbol; null while unknown. */
  priceOfSymbol: (symbol: string) => number | null;
  /** Daily candles in USD per coin id, oldest first; the incomplete day is included with its last price. */
  dailyCandles: (ids: string[], from: Date, to: Date) => Promise<Map<string, DailyCandle[]>>;
  /** Hourly closes in USD, daily ones where hours are missing; the source by display name. */
  closes: (coinId: string, from: Date, to: Date) => Promise<CloseSeries>;
  /** The first price at or after a moment, from bars closed by `now`. */
  priceAfter: (coinId: string, moment: Date, now: Date) => Promise<BarPrice | undefined>;
  /** The last price known at a moment, at most an hour old. */
  priceBefore: (coinId: string, moment: Date) => Promise<BarPrice | undefined>;
  /** The same for many moments at once, in order. */
  pricesAfter: (coinId: string, moments: readonly { at: Date; now: Date }[]) => Promise<(BarPrice | undefined)[]>;
  pricesBefore: (coinId: string, moments: readonly Date[]) => Promise<(BarPrice | undefined)[]>;
  /** The market as known then, from stored observations and candles; undefined when nothing is stored. */
  at: (moment: Date) => Promise<PastMarketView | undefined>;
  /** Prices and market caps as known then, by coin; empty if nothing is stored. */
  pricesAt: (moment: Date) => Promise<Map<string, CryptoPrice>>;
  /** The same market with history read from another database. */
  over: (db: Db) => Market;
};

/** The market of this process: its sources, its board in memory and its queries. */
export function createMarket(deps: Deps): Market {
  const { db, mode, now, live, sources } = deps;
  const clients = {
    coingecko: sources.client('coingecko'),
    coinpaprika: sources.client('coinpaprika'),
    okx: sources.client('okx'),
  };
  const board = createBoard(mode);
  const usdPerUsdt = () => board.priceOf('tether')?.price ?? null;
  const ctx: MarketContext = {
    ...deps,
    partitions: createPartitions(db),
    board,
    clients,
    listings: [coingeckoListing(clients.coingecko), coinpaprikaListing(clients.coinpaprika)],
    candles: [okxCandles(clients.okx, usdPerUsdt), coingeckoCandles(clients.coingecko)],
  };
  const handlers = new Set<(change: MarketChange) => void>();
  const notifyHandlers = (change: MarketChange) => {
    for (const handler of handlers) handler(change);
  };
  let sparklines: Sparklines = { timestamp: now().toISOString(), series: {} };
  let lastCollection: string | null = null;

  async function loadListing(): Promise<void> {
    const [coins, quotes, collected] = await Promise.all([
      listedCoins(db),
      lastQuotes(db),
      lastCollectionAt(db, 'listing'),
    ]);
    board.load(coins, quotes);
    lastCollection = collected;
    notifyHandlers('listing');
  }
  async function loadSparklines(): Promise<void> {
    sparklines = await readSparklines(db, mode, now());
    notifyHandlers('sparklines');
  }
  async function loadSources(): Promise<void> {
    await sources.reload();
    notifyHandlers('sources');
  }
  const past = (on: Db) => ({
    ctx: { ...ctx, db: on },
    dailyCandles: (ids: string[], from: Date, to: Date) => dailyCandles(on, ids, from, to),
    async closes(coinId: string, from: Date, to: Date) {
      const { source, ...series } = await readCloses(on, coinId, from, to);
      return { ...series, source: source && sourceName(source) };
    },
    priceAfter: async (coinId: string, at: Date, now: Date) => (await pricesAfter(on, coinId, [{ at, now }]))[0],
    priceBefore: async (coinId: string, moment: Date) => (await pricesBefore(on, coinId, [moment]))[0],
    pricesAfter: (coinId: string, moments: readonly { at: Date; now: Date }[]) => pricesAfter(on, coinId, moments),
    pricesBefore: (coinId: string, moments: readonly Date[]) => pricesBefore(on, coinId, moments),
    at: (moment: Date) => readMarketAt({ ...ctx, db: on }, moment),
    pricesAt: (moment: Date) => readPricesAt({ ...ctx, db: on }, moment),
  });
  const loadAll = async () => {
    await Promise.all([loadListing(), loadSparklines(), loadSources()]);
  };

  const market: Market = {
    ...past(db),
    ctx,
    over: (on) => ({ ...market, ...past(on) }),
    async start() {
      live.on(pricesTopic, ({ at, sources: names, ticks }) => {
        const ids = names.map((name) => SOURCES.find(({ id }) => sourceName(id) === name)?.id ?? name);
        if (board.apply(ids, ticks, at).length > 0) notifyHandlers('prices');
      });
      live.on(marketTopic, async ({ changed }) => {
        if (changed.includes('sources')) await loadSources();
        if (changed.includes('sparklines')) await loadSparklines();
        if (changed.includes('dashboard')) await loadListing();
      });
      live.onGap(loadAll);
      await loadAll();
    },
    reload: loadAll,
    onChange: (handler) => handlers.add(handler),
    sources: sources.health,
    sparklines: () => sparklines,
    lastCollectionAt: () => lastCollection,
    priceOfSymbol: (symbol) => board.prices().find((coin) => coin.symbol === symbol)?.price ?? null,
  };
  return market;
}

async function readSparklines(db: Db, mode: DataMode, now: Date): Promise<Sparklines> {
  const rows = await sparklineRows(db);
  const series = rows.map((row) => {
    const meta = {
      source: sourceName(row.source),
      observedAt: row.observed_at,
      fetchedAt: row.fetched_at,
      method: methodIn(mode, row.method),
      staleAfter: new Date(Date.parse(row.observed_at) + 3_600_000 + LISTING_FRESH_MS).toISOString(),
    };
    return [row.coin_id, { points: downsample(row.points, 57).map(shorten), meta }] as const;
  });
  return { timestamp: now.toISOString(), series: Object.fromEntries(series) };
}

/** At most `count` points, including the first and last: a sparkline is 100 pixels wide. */
function downsample(points: number[], count: number): number[] {
  if (points.length <= count) return points;
  return Array.from({ length: count }, (_, i) => points[Math.round((i * (points.length - 1)) / (count - 1))] as number);
}

const shorten = (value: number): number => Number(value.toPrecision(5));
