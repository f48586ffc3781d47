import type { Coin } from '#sandbox/market/coins.ts';
import type { Candle, Market } from '#sandbox/market/market.ts';
import { fraction } from '#sandbox/market/random.ts';
import { DAY, floorTo } from '#sandbox/market/time.ts';
import type { Tick } from '#sandbox/provider.ts';

const FREQUENT_COINS = 50;
const TICKS_PER_SECOND = 10;

export type Listing = {
  /** Symbol at the exchange, e.g. 'BTC-USDT'. */
  readonly id: string;
  readonly base: string;
  readonly coin: Coin;
  /** Decimals of a price. */
  readonly digits: number;
  /** This exchange's share of the coin's total volume. */
  readonly share: number;
  /** Its price premium over the market: a few hundredths of a basis point up to two. */
  readonly premium: number;
};

export type Ticker = {
  last: string;
  bid: string;
  ask: string;
  open: string;
  high: string;
  low: string;
  baseVolume: string;
  quoteVolume: string;
};

export type VenueCandle = {
  at: number;
  open: string;
  high: string;
  low: string;
  close: string;
  base: string;
  quote: string;
};

/** One exchange's view of the market: its listings, at its own prices, rounded to its tick sizes. */
export class Venue {
  readonly market: Market;
  readonly listings: ReadonlyMap<string, Listing>;
  readonly #months = new Map<Listing, { day: number; volume: string }>();

  constructor(market: Market, options: { coins: readonly Coin[]; quote: string; salt: number; share: number }) {
    const { coins, quote, salt, share } = options;
    this.market = market;
    const listings = coins.map((coin): Listing => {
      const base = coin.symbol.toUpperCase();
      return {
        id: `${base}-${quote}`,
        base,
        coin,
        digits: Math.max(0, 5 - Math.floor(Math.log10(coin.basePrice))),
        share: share * (0.6 + 0.8 * fraction(salt, coin.index, 1)),
        premium: 1 + 4e-4 * (fraction(salt, coin.index, 2) - 0.5),
      };
    });
    this.listings = new Map(listings.map((listing) => [listing.id, listing]));
  }

  price({ premium, digits }: Listing, marketPrice: number): string {
    return (marketPrice * premium).toFixed(digits);
  }

  last(listing: Listing, now: number): string {
    return this.price(listing, this.market.priceAt(listing.coin, now));
  }

  ticker(listing: Listing, now: number): Ticker {
    const { price, open, high, low, volumeUsd } = this.market.dayStats(listing.coin, now);
    const last = this.price(listing, price);
    const tick = 10 ** -listing.digits;
    const quote = volumeUsd * listing.share;
    return {
      last,
      bid: (Number(last) - tick).toFixed(listing.digits),
      ask: (Number(last) + tick).toFixed(listing.digits),
      open: this.price(listing, open),
      high: this.price(listing, high),
      low: this.price(listing, low),
      baseVolume: (quote / ((high + low) / 2)).toFixed(8),
      quoteVolume: quote.toFixed(8),
    };
  }

  /** Over the last 30 full days, in coins. */
  volume30d(listing: Listing, now: number): string {
    const day = floorTo(now, DAY);
    const cached = this.#months.get(listing);
    if (cached?.day === day) return cached.volume;
    const { volumeUsd, high, low } = this.market.candle(listing.coin, day - 30 * DAY, day);
    const volume = ((volumeUsd * listing.share) / ((high + low) / 2)).toFixed(8);
    this.#months.set(listing, { day, volume });
    return volume;
  }

  candle(listing: Listing, from: number, to: number): VenueCandle {
    const { at, open, high, low, close, volumeUsd }: Candle = this.market.candle(listing.coin, from, to);
    const quote = volumeUsd * listing.share;
    return {
      at,
      open: this.price(listing, open),
      high: this.price(listing, high),
      low: this.price(listing, low),
      close: this.price(listing, close),
      base: (quote / ((high + low) / 2)).toFixed(8),
      quote: quote.toFixed(8),
    };
  }

  /** Newest first: at most `limit` candles that begin after `above`, up to and including `latest`. */
  candles(
    listing: Listing,
    range: { stepMs: number; offsetMs?: number; above: number; latest: number; limit: number; now: number },
  ) {
    const { stepMs, offsetMs = 0, above, latest, limit, now } = range;
    const rows: VenueCandle[] = [];
    for (let at = floorTo(Math.min(latest, now), stepMs, offsetMs); at > above && rows.length < limit; at -= stepMs) {
      rows.push(this.candle(listing, at, Math.min(at + stepMs, now)));
    }
    return rows;
  }
}

/** Whether a coin is sent in this tick: spread over `seconds`, each coin in its own tenth. */
export function isDue({ index }: Coin, tick: Tick, seconds: number): boolean {
  return tick === 'moved' || (tick - index) % (TICKS_PER_SECOND * seconds) === 0;
}

/** Large coins trade every second, small ones every third. */
export const isTradeDue = (coin: Coin, tick: Tick): boolean => isDue(coin, tick, coin.index < FREQUENT_COINS ? 1 : 3);
