import { pricesTopic, type Tick } from '#features/market/contract/market.ts';
import { type Fence, noFence } from '#kernel/leader.ts';
import { tickMethod } from '#shared/provenance.ts';

import { type BoardQuote, derive } from '../board.ts';
import type { MarketContext } from '../context.ts';
import { LISTING_FRESH_MS, methodIn, sourceName } from '../names.ts';
import { CANDLES_1M, PRICE_OBSERVATIONS } from '../schema.ts';
import { type CandleWrite, coinKeys } from '../store/candles.ts';
import { saveTicks, type TickQuote } from '../store/ticks.ts';
import type { Listing, VenueTick } from '../types.ts';

const MINUTE_MS = 60_000;

const floorToMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** One point per coin for the minute of its observation: coins without a live venue get their candles from these. */
export async function buildMinuteCandles(ctx: MarketContext, listing: Listing): Promise<CandleWrite[]> {
  const limit = ctx.now().getTime() - 86_400_000;
  const coins = listing.coins.filter((coin) => coin.observedAt.getTime() > limit && !isTicking(ctx, coin.id));
  if (coins.length === 0) return [];
  const times = coins.map((coin) => coin.observedAt.getTime());
  await ctx.partitions.ensure(CANDLES_1M, new Date(Math.min(...times)), new Date(Math.max(...times)));
  const keys = await coinKeys(ctx.db);
  return coins.flatMap((coin): CandleWrite[] => {
    const coinKey = keys.get(coin.id);
    if (coinKey === undefined) return [];
    const { price } = coin;
    return [
      {
        coinKey,
        at: floorToMinute(coin.observedAt),
        open: price,
        high: price,
        low: price,
        close: price,
        volume: null,
        minutes: 1,
        source: listing.source,
        fetchedAt: listing.fetchedAt,
        method: listing.method,
      },
    ];
  });
}

/** A coin whose displayed price is a venue's, at most two minutes old, has minute candles of its own. */
function isTicking(ctx: MarketContext, id: string): boolean {
  const shown = ctx.board.priceOf(id);
  if (!shown || shown === ctx.board.listingOf(id)) return false;
  return ctx.now().getTime() - shown.observedAt < 2 * MINUTE_MS;
}

/**
 * A venue remains a coin's source while its ticks are this recent, so that the price does not flicker between two
 * venues.
 */
const STICKY_MS = 20_000;
/**
 * Two coins may share a symbol: a venue's first price must agree with the list within this, later ones may drift this
 * far.
 */
const FIRST_AGREEMENT = 0.1;
const LARGEST_DRIFT = 0.3;
const OBSERVE_EVERY_MS = 60_000;

/**
 * Converts venue ticks into prices of our coins: maps symbols, converts USDT, uses one venue per coin, publishes
 * changes and stores minute candles and last quotes.
 */
export function createTickIntake(ctx: MarketContext) {
  const venueOf = new Map<string, { source: string; at: number }>();
  const trusted = new Set<string>();
  const moved = new Map<string, BoardQuote>();
  const candles = new Map<string, CandleWrite & { coinId: string }>();
  const unsaved = new Map<string, BoardQuote>();
  let lastObservedMs = 0;

  function usdPerUsdt(): number | null {
    return ctx.board.priceOf('tether')?.price ?? null;
  }

  function acceptTick(source: string, tick: VenueTick, rate: number | null): BoardQuote | null {
    const id = ctx.board.idOf(tick.symbol);
    const listing = id === undefined ? null : ctx.board.listingOf(id);
    const coin = id === undefined ? undefined : ctx.board.coin(id);
    const shown = id === undefined ? undefined : ctx.board.priceOf(id);
    if (id === undefined || !coin || !shown) return null;
    if (tick.quote === 'USDT' && rate === null) return null;
    const price = tick.quote === 'USDT' ? Number((tick.price * (rate ?? 1)).toPrecision(9)) : tick.price;
    const key = `${source}:${id}`;
    const isListFresh = listing && ctx.now().getTime() - listing.observedAt < LISTING_FRESH_MS;
    const drift = Math.abs(price / (isListFresh ? listing : shown).price - 1);
    if (!trusted.has(key)) {
      if (drift > FIRST_AGREEMENT) return null;
      trusted.add(key);
    } else if (drift > LARGEST_DRIFT) return null;
    const observedAt = tick.observedAt.getTime();
    const holder = venueOf.get(id);
    if (holder && holder.source !== source && observedAt - holder.at < STICKY_MS) return null;
    if (observedAt < shown.observedAt) return null;
    venueOf.set(id, { source, at: observedAt });
    const quote: BoardQuote = {
      ...shown,
      coinId: id,
      source,
      price,
      observedAt,
      fetchedAt: ctx.now().getTime(),
      method: methodIn(ctx.mode, tickMethod(source)),
    };
    return listing ? derive(quote, listing, coin.circulating_supply) : quote;
  }

  function extendCandle(quote: BoardQuote): void {
    const at = floorToMinute(new Date(quote.observedAt));
    const key = `${quote.coinId}@${at.getTime()}`;
    const seen = candles.get(key);
    candles.set(key, {
      coinId: quote.coinId,
      coinKey: -1,
      at,
      open: seen?.open ?? quote.price,
      high: Math.max(seen?.high ?? quote.price, quote.price),
      low: Math.min(seen?.low ?? quote.price, quote.price),
      close: quote.price,
      volume: null,
      minutes: 1,
      source: quote.source,
      fetchedAt: new Date(quote.fetchedAt),
      method: quote.method,
    });
  }

  return {
    usdPerUsdt,
    take(source: string, ticks: VenueTick[]): number {
      const rate = usdPerUsdt();
      let taken = 0;
      for (const tick of ticks) {
        const quote = acceptTick(source, tick, rate);
        if (!quote) continue;
        taken += 1;
        moved.set(quote.coinId, quote);
        unsaved.set(quote.coinId, quote);
        extendCandle(quote);
      }
      return taken;
    },
    /** Publishes changes since the last call to every process. */
    async publish(fence: Fence = noFence): Promise<void> {
      if (moved.size === 0) return;
      const quotes = [...moved.values()];
      moved.clear();
      const sources = [...new Set(quotes.map((quote) => quote.source))];
      const ticks = quotes.map(
        (q): Tick => [q.coinId, q.price, q.change_24h, q.market_cap, sources.indexOf(q.source), q.observedAt],
      );
      const frame = { at: ctx.now().getTime(), sources: sources.map((s) => sourceName(s)), ticks };
      await ctx.db.transaction().execute(async (tx) => {
        await fence(tx);
        await ctx.live.publishIn(tx, pricesTopic, frame);
      });
    },
    /** Stores last quotes and minute candles; failed writes are retained for the next time. */
    async flush(fence: Fence = noFence): Promise<void> {
      if (unsaved.size === 0 && candles.size === 0) return;
      const keys = await coinKeys(ctx.db);
      const nowMs = ctx.now().getTime();
      const observe = nowMs - lastObservedMs >= OBSERVE_EVERY_MS;
      const quotes = [...unsaved.values()].flatMap((quote) => toRow(quote, keys.get(quote.coinId)));
      const bars = [...candles.entries()].flatMap(([, { coinId, ...bar }]) => {
        const coinKey = keys.get(coinId);
        return coinKey === undefined ? [] : [{ ...bar, coinKey }];
      });
      const heldQuotes = new Map(unsaved);
      const heldCandles = new Map(candles);
      const oldest = Math.min(
        ...bars.map((bar) => bar.at.getTime()),
        ...quotes.map((q) => q.observedAt.getTime()),
        nowMs,
      );
      await ctx.partitions.ensure(CANDLES_1M, new Date(oldest), new Date(nowMs));
      await ctx.partitions.ensure(PRICE_OBSERVATIONS, new Date(oldest), new Date(nowMs));
      await ctx.db.transaction().execute(async (tx) => {
        await fence(tx);
        await saveTicks(tx, quotes, bars, observe);
      });
      if (observe) lastObservedMs = nowMs;
      for (const [id, quote] of heldQuotes) if (unsaved.get(id) === quote) unsaved.delete(id);
      const running = floorToMinute(ctx.now()).getTime();
      for (const [key, bar] of heldCandles) {
        if (candles.get(key) === bar && bar.at.getTime() < running) candles.delete(key);
      }
      dropOldCandles(candles, nowMs);
    },
  };
}
export type TickIntake = ReturnType<typeof createTickIntake>;

function toRow(quote: BoardQuote, coinKey: number | undefined): TickQuote[] {
  if (coinKey === undefined) return [];
  return [
    {
      coinId: quote.coinId,
      coinKey,
      source: quote.source,
      price: quote.price,
      change_24h: quote.change_24h,
      market_cap: quote.market_cap,
      observedAt: new Date(quote.observedAt),
      fetchedAt: new Date(quote.fetchedAt),
      method: quote.method,
    },
  ];
}

/** While the database refuses writes, candles are queued; an hour of them is enough. */
function dropOldCandles(candles: Map<string, { at: Date }>, nowMs: number): void {
  for (const [key, bar] of candles) if (nowMs - bar.at.getTime() > 3_600_000) candles.delete(key);
}
