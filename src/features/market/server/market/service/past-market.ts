import type { CryptoPrice, MarketTotals } from '#features/market/contract/market.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { price as priceText } from '#shared/format.ts';

import { type BoardQuote, createBoard } from '../board.ts';
import type { MarketContext } from '../context.ts';
import { HISTORY_FRESH_MS, LISTING_SOURCES, methodIn, sourceName } from '../names.ts';
import { lastCollectionAt } from '../store/listing.ts';
import {
  findClosesAt,
  findObservationsAt,
  listAllCoins,
  type PastClose,
  type PastRange,
  readRangesBetween,
} from '../store/past-market.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Tolerance of the close seven days earlier. */
const TOLERANCE_MS = 3 * HOUR_MS;
const NO_LIST = 'No price list is stored for that time, and candles do not include total market volume';

/** Figures of a price list that observations lack: the 7-day change and the day's range, from candles. */
async function rebuildFigures(ctx: MarketContext, at: Date, prices: CryptoPrice[]): Promise<CryptoPrice[]> {
  const [weekAgo, dayAgo] = [new Date(at.getTime() - WEEK_MS), new Date(at.getTime() - DAY_MS)];
  const [closes, ranges] = await Promise.all([
    findClosesAt(ctx.db, weekAgo, new Date(weekAgo.getTime() - TOLERANCE_MS - HOUR_MS)),
    readRangesBetween(ctx.db, dayAgo, at),
  ]);
  return prices.map((row) => {
    const week = weekChange(ctx, row, closes.get(row.id), weekAgo);
    const day = dayRange(ctx, row, ranges.get(row.id), at);
    const volume = row.volume_24h === null ? { volume_24h: { metric: 'coin.volume', reason: NO_LIST } } : {};
    return {
      ...row,
      change_7d: week.value,
      low_24h: day.low,
      high_24h: day.high,
      rebuilt: { change_7d: week.meta, range_24h: day.meta, ...volume },
    };
  });
}

type Sources = { observedAt: number; fetchedAt: number; sources: string[] };

const computedMeta = ({ mode }: MarketContext, metric: string, terms: string, from: Sources): FigureMeta => ({
  metric,
  source: 'Meridian',
  observedAt: new Date(from.observedAt).toISOString(),
  fetchedAt: new Date(from.fetchedAt).toISOString(),
  method: methodIn(mode, 'computed'),
  staleAfter: new Date(from.observedAt + HISTORY_FRESH_MS).toISOString(),
  venues: [...new Set(from.sources.map(sourceName))],
  terms,
});

function weekChange(ctx: MarketContext, row: CryptoPrice, close: PastClose | undefined, weekAgo: Date) {
  const metric = 'coin.change_7d';
  if (!close || weekAgo.getTime() - close.endedAt > TOLERANCE_MS)
    return { value: null, meta: { metric, reason: 'No price is stored for seven days before that time' } };
  const ended = new Date(close.endedAt).toISOString().slice(0, 16).replace('T', ' ');
  const terms = `$${priceText(row.price)} vs. the close of $${priceText(close.close)} on ${ended} UTC`;
  const meta = computedMeta(ctx, metric, terms, {
    observedAt: Date.parse(row.meta.observedAt),
    fetchedAt: Math.max(Date.parse(row.meta.fetchedAt), close.fetchedAt),
    sources: [row.meta.source, close.source],
  });
  return { value: Math.round((row.price / close.close - 1) * 1e6) / 1e4, meta };
}

function dayRange(ctx: MarketContext, row: CryptoPrice, range: PastRange | undefined, at: Date) {
  const metric = 'coin.range';
  const hours = Math.floor(at.getTime() / HOUR_MS) - Math.ceil((at.getTime() - DAY_MS) / HOUR_MS);
  if (!range || range.hours < hours) {
    const reason = `Candles are stored for ${range?.hours ?? 0} of the ${hours} full hours before that time`;
    return { low: null, high: null, meta: { metric, reason } };
  }
  const around = range.minutes > 0 ? ` and of ${range.minutes} minutes around them` : '';
  const terms = `Low and high of ${range.hours} hours${around}`;
  const meta = computedMeta(ctx, metric, terms, { ...range, observedAt: range.endedAt });
  return { low: Math.min(range.low, row.price), high: Math.max(range.high, row.price), meta };
}

/** As long as a price list retains an abandoned coin's price. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** An observation older than this is superseded by a candle that ended later. */
const MAX_OBSERVATION_AGE_MS = HOUR_MS;

export type PastMarketView = {
  prices: CryptoPrice[];
  totals: MarketTotals;
  lastCollectionAt: string | null;
  /** The latest response of each source by then, ms since epoch. */
  lastFetchedBySource: Map<string, number>;
};

/** The board as known at `at`: observations where available, else the last closed candles. */
async function rebuildBoard(ctx: MarketContext, at: Date) {
  const { db, config, mode } = ctx;
  const atMs = at.getTime();
  const dayBefore = new Date(atMs - DAY_MS);
  const [coins, observed, closes, closesBefore] = await Promise.all([
    listAllCoins(db),
    findObservationsAt(db, at, new Date(atMs - LOOK_BACK_MS), LISTING_SOURCES),
    findClosesAt(db, at, new Date(atMs - LOOK_BACK_MS)),
    findClosesAt(db, dayBefore, new Date(dayBefore.getTime() - 2 * DAY_MS)),
  ]);
  const byCoin = Map.groupBy(observed, ({ coinId }) => coinId);
  const quotes = coins.flatMap(({ id, listed }): BoardQuote[] => {
    const seen = byCoin.get(id) ?? [];
    const newest = Math.max(...seen.map((quote) => quote.observedAt));
    const isFresh = atMs - newest <= MAX_OBSERVATION_AGE_MS;
    if (isFresh || !listed) return isFresh ? seen : [];
    const close = closes.get(id);
    return close && close.endedAt > newest ? [fromCandle(close, closesBefore.get(id), dayBefore, ctx)] : seen;
  });
  if (quotes.length === 0) return undefined;
  const ranks = rankByCap(quotes);
  const ranked = coins.map((coin) => ({ ...coin, rank: ranks.get(coin.id) ?? null }));
  const board = createBoard(mode);
  board.load(ranked, quotes);
  const shown = new Set(
    board
      .prices()
      .slice(0, config.COIN_LIMIT)
      .map(({ id }) => id),
  );
  board.load(
    ranked.filter(({ id }) => shown.has(id)),
    quotes,
  );
  return { board, quotes };
}

/** Prices and market caps as known at `at`, by coin; empty if nothing is stored. */
export async function readPricesAt(ctx: MarketContext, at: Date): Promise<Map<string, CryptoPrice>> {
  const earlier = await rebuildBoard(ctx, at);
  return new Map(earlier?.board.prices().map((row) => [row.id, row]));
}

/** The market as known at `at`, with changes and ranges rebuilt from candles. */
export async function readMarketAt(ctx: MarketContext, at: Date): Promise<PastMarketView | undefined> {
  const [earlier, collected] = await Promise.all([rebuildBoard(ctx, at), lastCollectionAt(ctx.db, 'listing', at)]);
  if (!earlier) return undefined;
  const { board, quotes } = earlier;
  const prices = await rebuildFigures(ctx, at, board.prices());
  return {
    prices,
    totals: board.totals(),
    lastCollectionAt: collected,
    lastFetchedBySource: newestFetches(at.getTime(), quotes),
  };
}

function newestFetches(atMs: number, quotes: BoardQuote[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { source, fetchedAt } of quotes)
    if (fetchedAt <= atMs) newest.set(source, Math.max(fetchedAt, newest.get(source) ?? 0));
  return newest;
}

/** Ranks by the caps of that time's list; a coin without a list has none. */
function rankByCap(quotes: BoardQuote[]): Map<string, number> {
  const listed = quotes.filter(({ volume_24h, market_cap }) => volume_24h !== null && market_cap !== null);
  return new Map(
    listed.toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0)).map(({ coinId }, i) => [coinId, i + 1]),
  );
}

/** A candle provides only a price and its change; the cap follows from the supply, the volume is unknown. */
function fromCandle(
  { coinId, close, endedAt, fetchedAt, source, method }: PastClose,
  before: PastClose | undefined,
  dayBefore: Date,
  { mode }: MarketContext,
): BoardQuote {
  const isNear = before && dayBefore.getTime() - before.endedAt <= TOLERANCE_MS;
  return {
    coinId,
    source,
    price: close,
    change_24h: isNear ? Math.round((close / before.close - 1) * 1e6) / 1e4 : null,
    change_7d: null,
    low_24h: null,
    high_24h: null,
    volume_24h: null,
    market_cap: null,
    observedAt: endedAt,
    fetchedAt,
    method: methodIn(mode, method),
  };
}
