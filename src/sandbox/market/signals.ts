import type { Coin } from './coins.ts';
import type { Market } from './market.ts';
import { fraction } from './random.ts';
import { DAY, MARKET_START, PARAMETERS, REFERENCE_DAY, Recent } from './time.ts';

/** One instance per market, created on first use. */
export function perMarket<T>(make: (market: Market) => T): (market: Market) => T {
  const made = new WeakMap<Market, T>();
  return (market) => {
    const known = made.get(market);
    if (known !== undefined) return known;
    const value = make(market);
    made.set(market, value);
    return value;
  };
}

export function normalAt(seed: number, salt: number, i: number): number {
  return Math.sqrt(-2 * Math.log(fraction(seed, salt, i, 1))) * Math.cos(2 * Math.PI * fraction(seed, salt, i, 2));
}

/** Smooth noise of variance 1: one draw per period, interpolated in between. */
export function wave(seed: number, salt: number, ms: number, periodMs: number): number {
  const at = ms / periodMs;
  const i = Math.floor(at);
  const t = at - i;
  const part = t * t * (3 - 2 * t);
  return (normalAt(seed, salt, i) * (1 - part) + normalAt(seed, salt, i + 1) * part) / Math.hypot(1 - part, part);
}

export const yearsSinceReference = (ms: number): number => (ms - REFERENCE_DAY * DAY) / (365 * DAY);

const SAMPLE_DAYS = 1000;
const WINDOW = 30;

/** Price signals for the other series: never from later than the requested time. */
class Signals {
  readonly #market: Market;
  readonly #usual = new Map<string, number>();
  readonly #restlessness = new Map<string, Recent<number>>();

  constructor(market: Market) {
    this.#market = market;
  }

  logReturn(coin: string, ms: number, spanMs: number): number {
    return Math.log(this.#market.priceAt(coin, ms) / this.#market.priceAt(coin, ms - spanMs));
  }

  /** Standard deviation of a day. */
  usual(coin: string): number {
    const known = this.#usual.get(coin);
    if (known !== undefined) return known;
    const value = this.#deviation(coin, MARKET_START / DAY + SAMPLE_DAYS, SAMPLE_DAYS);
    this.#usual.set(coin, value);
    return value;
  }

  /** Return over the span in units of its usual deviation. */
  trend(coin: string, ms: number, spanMs: number): number {
    return this.logReturn(coin, ms, spanMs) / (this.usual(coin) * Math.sqrt(spanMs / DAY));
  }

  /** Log of the volatility of the last 30 full days relative to the usual one. */
  restlessness(coin: string, ms: number): number {
    const day = Math.max(Math.floor(ms / DAY), MARKET_START / DAY + WINDOW);
    const cache = this.#restlessness.get(coin) ?? new Recent<number>(8000);
    this.#restlessness.set(coin, cache);
    return cache.get(day, () => Math.log(this.#deviation(coin, day, WINDOW) / this.usual(coin)));
  }

  #deviation(coin: string, day: number, days: number): number {
    let sum = 0;
    for (let i = 0; i < days; i++) sum += this.logReturn(coin, (day - i) * DAY, DAY) ** 2;
    return Math.sqrt(sum / days);
  }
}

export const signalsOf = perMarket((market) => new Signals(market));

const SENTIMENT_NOISE = 0x6667;

/** Fear and greed of a day counted from 1970: high after rises, low after falls and in volatile markets. */
export function fearAndGreed(market: Market, day: number): number {
  const { middle, weekly, monthly, restless, noise, reach } = PARAMETERS.sentiment;
  const signals = signalsOf(market);
  const ms = day * DAY;
  const mood =
    weekly * signals.trend('bitcoin', ms, 7 * DAY) +
    monthly * signals.trend('bitcoin', ms, 30 * DAY) -
    restless * signals.restlessness('bitcoin', ms) +
    noise * wave(market.seed, SENTIMENT_NOISE, ms, 2 * DAY);
  return Math.round(middle + reach * Math.tanh(mood / reach));
}

const STABLECOIN_NOISE = 0x7363;

/** USD of a stablecoin in circulation: near its listed supply on the reference day, more after good months. */
export function supplyAt(market: Market, coin: Coin, ms: number): number {
  const { yearly, trend, noise } = PARAMETERS.stablecoins;
  const grown = yearly * yearsSinceReference(ms) + trend * signalsOf(market).trend('bitcoin', ms, 90 * DAY);
  return (
    coin.circulatingSupply * Math.exp(grown + noise * wave(market.seed, STABLECOIN_NOISE + coin.index, ms, 5 * DAY))
  );
}

export const stablecoinsOf = (market: Market): Coin[] => market.coins.filter(({ sector }) => sector === 'stablecoins');
