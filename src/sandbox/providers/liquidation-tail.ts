import type { Coin } from '#sandbox/market/coins.ts';
import type { DerivativesVenue } from '#sandbox/market/derivatives.ts';
import { type Liquidation, liquidationsOf } from '#sandbox/market/liquidations.ts';
import type { Market } from '#sandbox/market/market.ts';
import { HOUR } from '#sandbox/market/time.ts';

/** How far back a feed goes after the clock was moved manually. */
const MOST_BEHIND = HOUR;

/** Liquidations since the last query for any of its coins. */
export class LiquidationTail {
  readonly #market: Market;
  readonly #venue: DerivativesVenue;
  readonly #told = new Map<Coin, number>();

  constructor(market: Market, venue: DerivativesVenue) {
    this.#market = market;
    this.#venue = venue;
  }

  watch(coin: Coin, now: number): void {
    this.#told.set(coin, now);
  }

  forget(coin: Coin): void {
    this.#told.delete(coin);
  }

  /** Oldest first, coin by coin. */
  next(now: number): { coin: Coin; events: Liquidation[] }[] {
    const news: { coin: Coin; events: Liquidation[] }[] = [];
    for (const [coin, told] of this.#told) {
      if (told === now) continue;
      this.#told.set(coin, now);
      const from = Math.max(told, now - MOST_BEHIND);
      const events = told > now ? [] : liquidationsOf(this.#market).between(this.#venue, coin, from, now);
      if (events.length > 0) news.push({ coin, events });
    }
    return news;
  }
}
