import type { Coin } from './coins.ts';
import { DailyPath } from './daily.ts';
import { fraction, Noise } from './random.ts';
import { bridgeHigh, bridgeLow, type Interval, Parts } from './subdivide.ts';
import { DAY, HOUR, item, LruCache, MARKET_START, MINUTE, SECOND } from './time.ts';

const [HOURS, MINUTES, SECONDS, HIGH, LOW, VOLUME] = [2, 3, 4, 5, 6, 7] as const;
/** More than the minutes from 1970 to 2200: separates the keys of coins. */
const COIN_STRIDE = 2 ** 27;

/** In standard deviations: the maximum height of a bridge drawn with a 32-bit uniform above its ends. */
const MAX_REACH = 3.5;

/** Log extremes and USD volume over a span. */
export type Span = { high: number; low: number; volumeUsd: number };

/** USD traded per day as a share of the market cap. */
function dailyTurnover({ sector, index }: Coin): number {
  const baseTurnover = sector === 'stablecoins' ? 0.25 : sector === 'wrapped-tokens' ? 0.02 : 0.045;
  return baseTurnover * (0.5 + fraction(0x746f, index));
}

/**
 * The whole past and future of every coin, a pure function of seed, coin and time. A day is divided into hours, an hour
 * into minutes, a minute into seconds, each level between the parent's open and close and inside its high and low.
 */
export class PricePath {
  readonly #seed: number;
  readonly #coins: readonly Coin[];
  readonly #roots: { index: number; offset: number }[];
  readonly #daily: DailyPath;
  readonly #noise = new Noise();
  readonly #hours = new LruCache<Parts>(6000);
  readonly #minutes = new LruCache<Parts>(2000);
  readonly #seconds = new LruCache<Parts>(600);

  constructor(seed: number, coins: readonly Coin[]) {
    this.#seed = seed;
    this.#coins = coins;
    this.#daily = new DailyPath(seed, coins);
    this.#roots = coins.map((coin) => {
      const root = coins.find((other) => other.id === coin.trackedCoinId);
      return { index: (root ?? coin).index, offset: root ? Math.log(coin.basePrice / root.basePrice) : 0 };
    });
  }

  /** Log price, exact to the second. */
  logAt(coin: number, ms: number): number {
    const { index, offset } = item(this.#roots, coin);
    return offset + this.#rootLogAt(index, Math.max(MARKET_START, Math.floor(ms / SECOND) * SECOND));
  }

  /** `from` is a full minute; for a second in progress, only its first price counts. */
  span(coin: number, from: number, to: number): Span {
    const { index: root, offset } = item(this.#roots, coin);
    const start = Math.max(MARKET_START, from);
    const end = Math.max(start, Math.floor(to / SECOND) * SECOND);
    let high = Math.max(this.#rootLogAt(root, start), this.#rootLogAt(root, end));
    let low = Math.min(this.#rootLogAt(root, start), this.#rootLogAt(root, end));
    let volumeUsd = 0;
    for (let at = start; at < end; ) {
      const day = Math.floor(at / DAY);
      let step = SECOND;
      let parts: Parts;
      let i: number;
      if (at % DAY === 0 && at + DAY <= end) {
        high = Math.max(high, this.#dayHigh(root, day));
        low = Math.min(low, this.#dayLow(root, day));
        volumeUsd += this.#dayVolume(coin, day);
        at += DAY;
        continue;
      }
      if (at % HOUR === 0 && at + HOUR <= end) {
        step = HOUR;
        parts = this.#hoursOf(root, day);
        i = (at % DAY) / HOUR;
      } else if (at % MINUTE === 0 && at + MINUTE <= end) {
        step = MINUTE;
        parts = this.#minutesOf(root, Math.floor(at / HOUR));
        i = (at % HOUR) / MINUTE;
      } else {
        parts = this.#secondsOf(root, Math.floor(at / MINUTE));
        i = (at % MINUTE) / SECOND;
      }
      const dayVolume = this.#dayVolume(coin, day);
      const stop = Math.min(end, at - (at % (step * parts.count)) + step * parts.count);
      for (; at + step <= stop; at += step, i++) {
        high = Math.max(high, parts.high(i));
        low = Math.min(low, parts.low(i));
        volumeUsd += dayVolume * parts.share(i);
      }
    }
    return { high: high + offset, low: low + offset, volumeUsd };
  }

  /** Log extremes over whole days, for all-time highs: days that cannot exceed `best` are skipped. */
  dayRecord(coin: number, day: number, best: { high: number; low: number }): { high: number; low: number } {
    const { index: root, offset } = item(this.#roots, coin);
    const [open, close] = this.#dayEnds(root, day);
    const reach = MAX_REACH * this.#daily.sigmaAt(root, day);
    const canSetHigh = Math.max(open, close) + reach + offset > best.high;
    const canSetLow = Math.min(open, close) - reach + offset < best.low;
    const high = canSetHigh ? this.#dayHigh(root, day) : Number.NEGATIVE_INFINITY;
    const low = canSetLow ? this.#dayLow(root, day) : Number.POSITIVE_INFINITY;
    return { high: high + offset, low: low + offset };
  }

  #rootLogAt(root: number, ms: number): number {
    if (ms % DAY === 0) return this.#daily.logAt(root, ms / DAY);
    if (ms % HOUR === 0) return this.#hoursOf(root, Math.floor(ms / DAY)).knot((ms % DAY) / HOUR);
    if (ms % MINUTE === 0) return this.#minutesOf(root, Math.floor(ms / HOUR)).knot((ms % HOUR) / MINUTE);
    return this.#secondsOf(root, Math.floor(ms / MINUTE)).knot((ms % MINUTE) / SECOND);
  }

  #dayHigh(root: number, day: number): number {
    const uniform = fraction(this.#seed, root, HIGH, day);
    return bridgeHigh(...this.#dayEnds(root, day), this.#daily.sigmaAt(root, day), uniform);
  }

  #dayLow(root: number, day: number): number {
    const uniform = fraction(this.#seed, root, LOW, day);
    return bridgeLow(...this.#dayEnds(root, day), this.#daily.sigmaAt(root, day), uniform);
  }

  #dayEnds(root: number, day: number): [open: number, close: number] {
    return [this.#daily.logAt(root, day), this.#daily.logAt(root, day + 1)];
  }

  /** High when the day is volatile or closes far from its open. */
  #dayVolume(coin: number, day: number): number {
    const { index: root, offset } = item(this.#roots, coin);
    const listedCoin = item(this.#coins, coin);
    const [open, close] = this.#dayEnds(root, day);
    const sigma = this.#daily.sigmaAt(root, day);
    const activity = (sigma / this.#daily.usualSigma(root)) ** 0.6 * (0.6 + (0.5 * Math.abs(close - open)) / sigma);
    const noise = Math.exp(0.5 * (fraction(this.#seed, coin, VOLUME, day) - 0.5));
    return dailyTurnover(listedCoin) * Math.exp(open + offset) * listedCoin.circulatingSupply * activity * noise;
  }

  #hoursOf(root: number, day: number): Parts {
    return this.#hours.get(root * COIN_STRIDE + day, () => {
      const [open, close] = this.#dayEnds(root, day);
      const [high, low] = [this.#dayHigh(root, day), this.#dayLow(root, day)];
      const parent = { open, close, high, low, sigma: this.#daily.sigmaAt(root, day), share: 1 };
      return this.#split(parent, 24, 0.6, root, HOURS, day);
    });
  }

  #minutesOf(root: number, hour: number): Parts {
    return this.#minutes.get(root * COIN_STRIDE + hour, () => {
      const parent = this.#hoursOf(root, Math.floor(hour / 24)).interval(hour % 24);
      return this.#split(parent, 60, 0.5, root, MINUTES, hour);
    });
  }

  #secondsOf(root: number, minute: number): Parts {
    return this.#seconds.get(root * COIN_STRIDE + minute, () => {
      const parent = this.#minutesOf(root, Math.floor(minute / 60)).interval(minute % 60);
      return this.#split(parent, 60, 0, root, SECONDS, minute);
    });
  }

  #split(parent: Interval, count: number, unevenness: number, root: number, level: number, index: number): Parts {
    return Parts.of(parent, count, unevenness, this.#noise.seed(this.#seed, root, level, index));
  }
}
