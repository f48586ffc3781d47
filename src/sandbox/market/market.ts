import { type Coin, listCoins } from './coins.ts';
import { PricePath } from './path.ts';
import { DAY, floorTo, item, LruCache, MARKET_START, MINUTE } from './time.ts';

const FIRST_DAY = MARKET_START / DAY;
const NO_EXTREMES = {
  high: Number.NEGATIVE_INFINITY,
  highDay: FIRST_DAY,
  low: Number.POSITIVE_INFINITY,
  lowDay: FIRST_DAY,
};

type HighLow = { high: number; low: number };
type ExtremesToDate = HighLow & { highDay: number; lowDay: number };

/** The days on which a coin set a new high or low: few, so any earlier day is a lookup instead of a new scan. */
class ExtremeHistory {
  readonly #dayExtremes: (day: number, best: HighLow) => HighLow;
  readonly #changes: { from: number; record: ExtremesToDate }[] = [];
  #next = FIRST_DAY;

  constructor(dayExtremes: (day: number, best: HighLow) => HighLow) {
    this.#dayExtremes = dayExtremes;
  }

  /** Highest and lowest of all days before one. */
  before(day: number): ExtremesToDate {
    for (; this.#next < day; this.#next++) this.#add(this.#next);
    return this.#changes.findLast(({ from }) => from <= day)?.record ?? NO_EXTREMES;
  }

  #add(day: number): void {
    const best = this.#changes.at(-1)?.record ?? NO_EXTREMES;
    const { high, low } = this.#dayExtremes(day, best);
    if (high <= best.high && low >= best.low) return;
    const record = { ...best };
    if (high > best.high) [record.high, record.highDay] = [high, day];
    if (low < best.low) [record.low, record.lowDay] = [low, day];
    this.#changes.push({ from: day + 1, record });
  }
}

export type Candle = { at: number; open: number; high: number; low: number; close: number; volumeUsd: number };

/** The last 24 hours, from the full minute 24 hours before the current one. */
export type DayStats = { price: number; open: number; high: number; low: number; volumeUsd: number };

export type Extremes = { high: number; highAt: number; low: number; lowAt: number };

/** Everything derived from a seed alone, in any order. */
type Simulation = { seed: number; path: PricePath; records: Map<number, ExtremeHistory> };

const simulate = (seed: number): Simulation => ({ seed, path: new PricePath(seed, listCoins()), records: new Map() });

let latest: Simulation | undefined;
/** Shared by sandboxes of a process started one after another with the same seed. */
export function simulationOf(seed: number): Simulation {
  if (latest?.seed !== seed) latest = simulate(seed);
  return latest;
}

/**
 * One simulated market. Prices in USD, times in ms since 1970; nothing depends on when or in which order it is queried.
 */
export class Market {
  readonly seed: number;
  readonly coins: readonly Coin[] = listCoins();
  readonly #byId: ReadonlyMap<string, Coin>;
  readonly #path: PricePath;
  readonly #dayStats = new LruCache<{ high: number; low: number; volumeUsd: number; open: number }>(2400);
  readonly #records: Map<number, ExtremeHistory>;

  constructor(seed: number, { path, records } = simulate(seed)) {
    this.seed = seed;
    this.#byId = new Map(this.coins.map((coin) => [coin.id, coin]));
    this.#path = path;
    this.#records = records;
  }

  find(id: string): Coin | undefined {
    return this.#byId.get(id);
  }

  get(id: string): Coin {
    const coin = this.find(id);
    if (!coin) throw new Error(`The market has no coin '${id}'`);
    return coin;
  }

  priceAt(coin: Coin | string, ms: number): number {
    return Math.exp(this.#path.logAt(this.#index(coin), ms));
  }

  marketCapAt(coin: Coin | string, ms: number): number {
    const listedCoin = typeof coin === 'string' ? this.get(coin) : coin;
    return this.priceAt(listedCoin, ms) * listedCoin.circulatingSupply;
  }

  /** Percentage change between the price `spanMs` ago and the price at `ms`. */
  changeAt(coin: Coin | string, ms: number, spanMs: number): number {
    const index = this.#index(coin);
    return 100 * Math.expm1(this.#path.logAt(index, ms) - this.#path.logAt(index, ms - spanMs));
  }

  dayStats(coin: Coin | string, ms: number): DayStats {
    const index = this.#index(coin);
    const minute = floorTo(ms, MINUTE);
    const fullMinutes = this.#dayStats.get((minute / MINUTE) * 512 + index, () => ({
      ...this.#path.span(index, minute - DAY, minute),
      open: this.#path.logAt(index, minute - DAY),
    }));
    const current = this.#path.span(index, minute, ms);
    return {
      price: Math.exp(this.#path.logAt(index, ms)),
      open: Math.exp(fullMinutes.open),
      high: Math.exp(Math.max(fullMinutes.high, current.high)),
      low: Math.exp(Math.min(fullMinutes.low, current.low)),
      volumeUsd: fullMinutes.volumeUsd + current.volumeUsd,
    };
  }

  /** From a full minute to any later moment. */
  candle(coin: Coin | string, from: number, to: number): Candle {
    const index = this.#index(coin);
    const { high, low, volumeUsd } = this.#path.span(index, from, to);
    return {
      at: from,
      open: Math.exp(this.#path.logAt(index, from)),
      high: Math.exp(high),
      low: Math.exp(low),
      close: Math.exp(this.#path.logAt(index, to)),
      volumeUsd,
    };
  }

  /** Candles that begin in [from, to), oldest first; the current one ends at `now`. */
  candles(coin: Coin | string, options: { stepMs: number; from: number; to: number; now: number; offsetMs?: number }) {
    const { stepMs, now, offsetMs = 0 } = options;
    const rows: Candle[] = [];
    const first = floorTo(Math.max(options.from, MARKET_START) + stepMs - 1, stepMs, offsetMs);
    for (let at = first; at < options.to && at <= now; at += stepMs) {
      rows.push(this.candle(coin, at, Math.min(at + stepMs, now)));
    }
    return rows;
  }

  /** Highest and lowest since the market began. */
  extremes(coin: Coin | string, ms: number): Extremes {
    const index = this.#index(coin);
    const today = Math.floor(ms / DAY);
    const path = this.#path;
    const records = this.#records.get(index) ?? new ExtremeHistory((day, best) => path.dayRecord(index, day, best));
    this.#records.set(index, records);
    const fullDays = records.before(today);
    const current = this.#path.span(index, today * DAY, ms);
    return {
      high: Math.exp(Math.max(fullDays.high, current.high)),
      highAt: current.high > fullDays.high ? today * DAY : fullDays.highDay * DAY,
      low: Math.exp(Math.min(fullDays.low, current.low)),
      lowAt: current.low < fullDays.low ? today * DAY : fullDays.lowDay * DAY,
    };
  }

  /** Coins by market cap, largest first. */
  ranking(ms: number): Coin[] {
    const caps = this.coins.map((coin) => this.marketCapAt(coin, ms));
    return this.coins.toSorted((a, b) => item(caps, b.index) - item(caps, a.index));
  }

  #index(coin: Coin | string): number {
    return typeof coin === 'string' ? this.get(coin).index : coin.index;
  }
}
