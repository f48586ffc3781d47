export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** No trading before: earlier prices equal the first one. */
export const MARKET_START = Date.UTC(2019, 0, 1);
/** The day on which every coin has its listed base price. */
export const REFERENCE_DAY = Date.UTC(2026, 9, 1) / DAY;

export const floorTo = (ms: number, step: number, offset = 0): number =>
  Math.floor((ms - offset) / step) * step + offset;

/** The entry at the index; throws when it is missing. */
export function item<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`Nothing at ${index} of ${list.length}`);
  return value;
}

/**
 * An LRU cache in two halves: when the young half is full it becomes the old half, and the previous old half is
 * dropped.
 */
export class LruCache<V> {
  readonly #half: number;
  #recent = new Map<number, V>();
  #previous = new Map<number, V>();

  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2);
  }

  get(key: number, create: () => V): V {
    const cached = this.#recent.get(key);
    if (cached !== undefined) return cached;
    const value = this.#previous.get(key) ?? create();
    if (this.#recent.size >= this.#half) {
      this.#previous = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
    return value;
  }
}

/**
 * How the non-price series follow the simulated prices. A trend is a log return over its span in units of what is usual
 * for that span; `logVolatility` is the log of 30-day volatility relative to the usual one; waves are noise of variance 1
 * that reverses about once per period.
 */
export const PARAMETERS = {
  /** Index 0 to 100: `mean` + trends of 7 and 30 days + noise - log volatility, at most `range` from the mean. */
  sentiment: { mean: 50, weekly: 8, monthly: 12, volatilityWeight: 12, noise: 5, range: 44 },
  /** Fraction per 8 hours: `base` + 7-day trend + noise, with a small premium per venue. */
  funding: { base: 0.0001, trend: 0.00011, noise: 0.00004, max: 0.003 },
  /** USD on all venues as a share of the market cap, times exp(30-day trend + noise). */
  openInterest: { ofCap: { bitcoin: 0.019, ethereum: 0.038, other: 0.03 }, trend: 0.14, noise: 0.08 },
  /** USD per minute and side as a share of open interest: a base rate, plus the unusual fall (rise) of an hour. */
  liquidations: { baseRate: 8e-8, move: 8e-7, power: 2.5, meanUsd: 18_000, maxEvents: 6 },
  /** Daily inflow to exchanges as a share of their reserve: rises after falls of one and seven days. */
  flows: { daily: 0.0012, weekly: 0.0009, noise: 0.0016, meanReversion: 0.01, gross: 0.016, volatilityWeight: 0.6 },
  /** Supply of USD stablecoins: annual growth, plus the 90-day trend of the market, plus noise. */
  stablecoins: { yearly: 0.22, trend: 0.03, noise: 0.006 },
  /** Hashes per second on the reference day, annual log growth, daily and quarterly noise. */
  hashRate: { reference: 1.05e21, yearly: 0.32, daily: 0.035, quarterly: 0.04 },
  /** Addresses per day: by volatility and the size of yesterday's move, fewer on weekends. */
  addresses: { bitcoin: 560_000, volatilityWeight: 0.22, move: 0.05, weekend: 0.09, noise: 0.03 },
  /** Transactions per block or second, and the effect of volatility. */
  activity: {
    blockTransactions: 3300,
    ethereumBlock: 215,
    solanaSecond: 1350,
    suiCheckpoint: 14,
    xrpLedger: 48,
    volatilityWeight: 0.25,
  },
  /**
   * Deviations of a working day; `…Correlation`: daily correlations; `meanReversion`: reversion to the mean or
   * the trend.
   */
  macro: {
    equities: { start: 2510, drift: 0.00049, deviation: 0.0095, bitcoinCorrelation: 0.45, meanReversion: 0.003 },
    volatilityIndex: { mean: 17, meanReversion: 0.06, declineWeight: 115, noise: 0.6, min: 9.5 },
    dollar: { mean: 120, deviation: 0.0032, equityCorrelation: -0.3, meanReversion: 0.004 },
    tenYearYield: { mean: 4.2, deviation: 0.05, equityCorrelation: 0.15, meanReversion: 0.005 },
    twoYearYield: { mean: 3.9, deviation: 0.045, tenYearCorrelation: 0.8, meanReversion: 0.005 },
    oil: { mean: 66, deviation: 0.019, equityCorrelation: 0.25, meanReversion: 0.006 },
  },
} as const;
