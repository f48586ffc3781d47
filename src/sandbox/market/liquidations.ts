import type { Coin } from './coins.ts';
import { type DerivativesVenue, openInterestAt } from './derivatives.ts';
import type { Market } from './market.ts';
import { Noise } from './random.ts';
import { perMarket, signalsOf } from './signals.ts';
import { DAY, HOUR, LruCache, MINUTE, PARAMETERS } from './time.ts';

/** `side` is the position that was liquidated. */
export type Liquidation = { coin: Coin; at: number; side: 'long' | 'short'; usd: number; price: number };

const SALTS: Readonly<Partial<Record<DerivativesVenue, number>>> = { okx: 11, bybit: 12, binance: 13 };
const LOOKBACK = HOUR;

/** Liquidations, minute by minute: long positions after falls, short ones after rises. */
class Liquidations {
  readonly #market: Market;
  readonly #noise = new Noise();
  readonly #hours = new LruCache<readonly Liquidation[]>(40_000);

  constructor(market: Market) {
    this.#market = market;
  }

  /** After `from` and up to `to`, oldest first. */
  between(venue: DerivativesVenue, coin: Coin, from: number, to: number): Liquidation[] {
    const matches: Liquidation[] = [];
    for (let hour = Math.floor(from / HOUR); hour * HOUR <= to; hour++) {
      for (const event of this.#inHour(venue, coin, hour)) if (event.at > from && event.at <= to) matches.push(event);
    }
    return matches;
  }

  #inHour(venue: DerivativesVenue, coin: Coin, hour: number): readonly Liquidation[] {
    const salt = SALTS[venue] ?? 14;
    return this.#hours.get((hour * 512 + coin.index) * 16 + salt, () => {
      const interest = openInterestAt(this.#market, venue, coin, hour * HOUR);
      const usualDeviation = signalsOf(this.#market).usualDeviation(coin.id) * Math.sqrt(LOOKBACK / DAY);
      const events: Liquidation[] = [];
      for (let minute = hour * 60; minute < hour * 60 + 60; minute++) {
        const at = minute * MINUTE;
        const move = signalsOf(this.#market).logReturn(coin.id, at, LOOKBACK) / usualDeviation;
        this.#noise.seed(this.#market.seed, coin.index, salt, minute);
        const started = events.length;
        this.#addLiquidations(events, coin, at, 'long', interest * liquidatedShare(-move));
        this.#addLiquidations(events, coin, at, 'short', interest * liquidatedShare(move));
        if (events.length - started > 1)
          events.splice(started, events.length, ...events.slice(started).toSorted(byTime));
      }
      return events;
    });
  }

  #addLiquidations(
    events: Liquidation[],
    coin: Coin,
    minute: number,
    side: 'long' | 'short',
    expectedUsd: number,
  ): void {
    const { meanUsd, maxEvents } = PARAMETERS.liquidations;
    const expected = expectedUsd / meanUsd;
    const count = Math.min(maxEvents, Math.floor(expected + this.#noise.uniform()));
    const size = meanUsd * Math.max(1, expected / maxEvents);
    for (let i = 0; i < count; i++) {
      const at = minute + Math.floor(this.#noise.uniform() * MINUTE);
      const usd = size * -Math.log(this.#noise.uniform());
      const slip = 0.003 * this.#noise.uniform();
      const price = this.#market.priceAt(coin, minute) * (side === 'long' ? 1 - slip : 1 + slip);
      events.push({ coin, at, side, usd, price });
    }
  }
}

const byTime = (a: Liquidation, b: Liquidation) => a.at - b.at;

function liquidatedShare(move: number): number {
  const { baseRate, move: perDeviation, power } = PARAMETERS.liquidations;
  return baseRate + perDeviation * Math.max(0, move - 0.8) ** power;
}

export const liquidationsOf = perMarket((market) => new Liquidations(market));
