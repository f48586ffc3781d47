import type { MarketContext } from '../context.ts';
import { CANDLES_1M } from '../schema.ts';
import { type CandleWrite, coinKeys } from '../store/candles.ts';
import type { Listing } from '../types.ts';

const MINUTE_MS = 60_000;

export const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** One point per coin for the minute it was observed in: coins without a live venue get their candles from here. */
export async function minuteCandlesOf(ctx: MarketContext, listing: Listing): Promise<CandleWrite[]> {
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
        at: minuteOf(coin.observedAt),
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

/** A coin whose shown price is a venue's, not older than two minutes, has minute candles of its own. */
function isTicking(ctx: MarketContext, id: string): boolean {
  const shown = ctx.board.priceOf(id);
  if (!shown || shown === ctx.board.listingOf(id)) return false;
  return ctx.now().getTime() - shown.observedAt < 2 * MINUTE_MS;
}
