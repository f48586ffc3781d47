import type { CryptoPrice, MarketTotals } from '#features/market/contract.ts';

import { type BoardQuote, createBoard } from '../board.ts';
import type { MarketContext } from '../context.ts';
import { LISTING_SOURCES, methodIn } from '../names.ts';
import { closedAt, type EarlierClose, everyCoin, observedAt } from '../store/earlier.ts';
import { lastCollectionAt } from '../store/listing.ts';
import { rebuildFigures } from './rebuild.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As long as a price list lets an abandoned coin's price stand. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** An observation older than this gives way to a candle that ended later. */
const OBSERVED_WITHIN_MS = HOUR_MS;
/** How far from a day earlier the earlier close may lie. */
const SLACK_MS = 3 * HOUR_MS;

export type EarlierMarket = {
  prices: CryptoPrice[];
  totals: MarketTotals;
  lastCollectionAt: string | null;
  /** When each source was last heard by then, ms since epoch. */
  heard: Map<string, number>;
};

/** The market as it was known at `at`: observations where there are any, else the last closed candles. */
export async function readMarketAt(ctx: MarketContext, at: Date): Promise<EarlierMarket | undefined> {
  const { db, config, mode } = ctx;
  const atMs = at.getTime();
  const dayBefore = new Date(atMs - DAY_MS);
  const [coins, observed, closes, closesBefore, collected] = await Promise.all([
    everyCoin(db),
    observedAt(db, at, new Date(atMs - LOOK_BACK_MS), LISTING_SOURCES),
    closedAt(db, at, new Date(atMs - LOOK_BACK_MS)),
    closedAt(db, dayBefore, new Date(dayBefore.getTime() - 2 * DAY_MS)),
    lastCollectionAt(db, 'listing', at),
  ]);
  const byCoin = Map.groupBy(observed, ({ coinId }) => coinId);
  const quotes = coins.flatMap(({ id, listed }): BoardQuote[] => {
    const seen = byCoin.get(id) ?? [];
    const newest = Math.max(...seen.map((quote) => quote.observedAt));
    const isFresh = atMs - newest <= OBSERVED_WITHIN_MS;
    if (isFresh || !listed) return isFresh ? seen : [];
    const close = closes.get(id);
    return close && close.endedAt > newest ? [fromCandle(close, closesBefore.get(id), dayBefore, ctx)] : seen;
  });
  if (quotes.length === 0) return undefined;
  const ranks = ranksOf(quotes);
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
  const prices = await rebuildFigures(ctx, at, board.prices());
  return { prices, totals: board.totals(), lastCollectionAt: collected, heard: heardBy(atMs, quotes) };
}

function heardBy(atMs: number, quotes: BoardQuote[]): Map<string, number> {
  const heard = new Map<string, number>();
  for (const { source, fetchedAt } of quotes)
    if (fetchedAt <= atMs) heard.set(source, Math.max(fetchedAt, heard.get(source) ?? 0));
  return heard;
}

/** Places by the caps of the list of that time; a coin without a list has none. */
function ranksOf(quotes: BoardQuote[]): Map<string, number> {
  const listed = quotes.filter(({ volume_24h, market_cap }) => volume_24h !== null && market_cap !== null);
  return new Map(
    listed.toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0)).map(({ coinId }, i) => [coinId, i + 1]),
  );
}

/** A candle gives a price and its change alone; the cap follows from the supply, the volume is not known. */
function fromCandle(
  { coinId, close, endedAt, fetchedAt, source, method }: EarlierClose,
  before: EarlierClose | undefined,
  dayBefore: Date,
  { mode }: MarketContext,
): BoardQuote {
  const isNear = before && dayBefore.getTime() - before.endedAt <= SLACK_MS;
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
