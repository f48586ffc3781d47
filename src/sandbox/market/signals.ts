import type { Coin } from './coins.ts';
import type { Market } from './market.ts';
import { fraction } from './random.ts';
import { DAY, LruCache, MARKET_START, PARAMETERS, REFERENCE_DAY } from './time.ts';

/** One instance per market, created on first use. */
export function perMarket<T>(create: (market: Market) => T): (market: Market) => T {
  const instances = new WeakMap<Market, T>();
  return (market) => {
    const known = instances.get(market);
    if (known !== undefined) return known;
    const value = create(market);
    instances.set(market, value);
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
  readonly #usualDeviations = new Map<string, number>();
  readonly #logVolatilities = new Map<string, LruCache<number>>();

  constructor(market: Market) {
    this.#market = market;
  }

  logReturn(coin: string, ms: number, spanMs: number): number {
    return Math.log(this.#market.priceAt(coin, ms) / this.#market.priceAt(coin, ms - spanMs));
  }

  /** Standard deviation of a day. */
  usualDeviation(coin: string): number {
    const known = this.#usualDeviations.get(coin);
    if (known !== undefined) return known;
    const value = this.#deviation(coin, MARKET_START / DAY + SAMPLE_DAYS, SAMPLE_DAYS);
    this.#usualDeviations.set(coin, value);
    return value;
  }

  /** Return over the span in units of its usual deviation. */
  trend(coin: string, ms: number, spanMs: number): number {
    return this.logReturn(coin, ms, spanMs) / (this.usualDeviation(coin) * Math.sqrt(spanMs / DAY));
  }

  /** Log of the volatility of the last 30 full days relative to the usual one. */
  logVolatility(coin: string, ms: number): number {
    const day = Math.max(Math.floor(ms / DAY), MARKET_START / DAY + WINDOW);
    const cache = this.#logVolatilities.get(coin) ?? new LruCache<number>(8000);
    this.#logVolatilities.set(coin, cache);
    return cache.get(day, () => Math.log(this.#deviation(coin, day, WINDOW) / this.usualDeviation(coin)));
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
  const { mean, weekly, monthly, volatilityWeight, noise, range } = PARAMETERS.sentiment;
  const signals = signalsOf(market);
  const ms = day * DAY;
  const score =
    weekly * signals.trend('bitcoin', ms, 7 * DAY) +
    monthly * signals.trend('bitcoin', ms, 30 * DAY) -
    volatilityWeight * signals.logVolatility('bitcoin', ms) +
    noise * wave(market.seed, SENTIMENT_NOISE, ms, 2 * DAY);
  return Math.round(mean + range * Math.tanh(score / range));
}

const STABLECOIN_NOISE = 0x7363;

/** USD of a stablecoin in circulation: near its listed supply on the reference day, more after good months. */
export function supplyAt(market: Market, coin: Coin, ms: number): number {
  const { yearly, trend, noise } = PARAMETERS.stablecoins;
  const logGrowth = yearly * yearsSinceReference(ms) + trend * signalsOf(market).trend('bitcoin', ms, 90 * DAY);
  return (
    coin.circulatingSupply * Math.exp(logGrowth + noise * wave(market.seed, STABLECOIN_NOISE + coin.index, ms, 5 * DAY))
  );
}

export const stablecoinsOf = (market: Market): Coin[] => market.coins.filter(({ sector }) => sector === 'stablecoins');
