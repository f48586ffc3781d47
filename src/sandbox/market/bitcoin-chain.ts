import { createHash } from 'node:crypto';
import type { Market } from './market.ts';
import { fraction } from './random.ts';
import { perMarket, signalsOf, wave, yearsSinceReference } from './signals.ts';
import { DAY, HOUR, item, LruCache, MARKET_START, MINUTE, PARAMETERS } from './time.ts';

export const EPOCH_BLOCKS = 2016;
/** The current difficulty epoch when the market began. */
const FIRST_EPOCH = 276;
const TARGET_EPOCH_MS = EPOCH_BLOCKS * 10 * MINUTE;
/** Blocks are drawn in groups, so that their intervals vary like real ones. */
const GROUP_SIZE = 12;
const GROUP_COUNT = EPOCH_BLOCKS / GROUP_SIZE;
const [RATE, DAILY_NOISE, TIMES, SIZES, FEES] = [0x6872, 0x6c75, 0x6274, 0x627a, 0x6665];
const HASHES_PER_DIFFICULTY = 2 ** 32;

export type Epoch = { number: number; start: number; length: number; difficulty: number };
export type Block = {
  height: number;
  at: number;
  hash: string;
  previous: string;
  difficulty: number;
  transactions: number;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Hash rate without daily luck: rising, with slow swings. */
function trendHashRateAt(market: Market, ms: number): number {
  const { reference, yearly, quarterly } = PARAMETERS.hashRate;
  const swing = quarterly * wave(market.seed, RATE, ms, 90 * DAY);
  return reference * Math.exp(yearly * yearsSinceReference(ms) + swing);
}

/** As estimated from the blocks of a day. */
export function hashRateOn(market: Market, day: number): number {
  return (
    trendHashRateAt(market, day * DAY) *
    Math.exp(PARAMETERS.hashRate.daily * wave(market.seed, DAILY_NOISE, day * DAY, 1.3 * DAY))
  );
}

/** Satoshi per virtual byte for the next block. */
export function feeAt(market: Market, ms: number): number {
  const volatility = signalsOf(market).logVolatility('bitcoin', ms);
  return Math.exp(1.1 + 0.7 * volatility + 0.5 * wave(market.seed, FEES, ms, 6 * HOUR));
}

/** Active addresses on a full day. */
export function addressesOn(market: Market, day: number): number {
  const { bitcoin, volatilityWeight, move, weekend, noise } = PARAMETERS.addresses;
  const signals = signalsOf(market);
  const weekday = new Date(day * DAY).getUTCDay();
  const logActivity =
    volatilityWeight * signals.logVolatility('bitcoin', day * DAY) +
    move * Math.abs(signals.trend('bitcoin', day * DAY, DAY)) +
    noise * wave(market.seed, DAILY_NOISE + 1, day * DAY, 1.3 * DAY);
  return Math.round(bitcoin * Math.exp(logActivity - (weekday === 0 || weekday === 6 ? weekend : 0)));
}

/** Heights, times and difficulties: each epoch follows from the previous one, and blocks are drawn within it. */
class BitcoinChain {
  readonly #market: Market;
  readonly #epochs: Epoch[] = [];
  readonly #groups = new LruCache<readonly number[]>(4000);

  constructor(market: Market) {
    this.#market = market;
    const difficulty = (trendHashRateAt(market, MARKET_START) * 600) / HASHES_PER_DIFFICULTY;
    this.#epochs.push(this.#epoch(FIRST_EPOCH, MARKET_START, difficulty));
  }

  epochAt(ms: number): Epoch {
    let last = item(this.#epochs, this.#epochs.length - 1);
    while (last.start + last.length <= ms) last = this.#appendEpoch(last);
    let i = Math.max(0, Math.min(this.#epochs.length - 1, Math.floor((ms - MARKET_START) / TARGET_EPOCH_MS)));
    while (i > 0 && item(this.#epochs, i).start > ms) i -= 1;
    while (i < this.#epochs.length - 1 && item(this.#epochs, i + 1).start <= ms) i += 1;
    return item(this.#epochs, i);
  }

  epoch(number: number): Epoch {
    let last = item(this.#epochs, this.#epochs.length - 1);
    while (last.number < number) last = this.#appendEpoch(last);
    return item(this.#epochs, Math.max(0, number - FIRST_EPOCH));
  }

  /** Height of the newest block. */
  heightAt(ms: number): number {
    const epoch = this.epochAt(Math.max(MARKET_START, ms));
    const group = Math.min(GROUP_COUNT - 1, Math.floor(((ms - epoch.start) / epoch.length) * GROUP_COUNT));
    const minedInGroup = this.#blockTimes(epoch, group).filter((at) => at <= ms).length;
    return epoch.number * EPOCH_BLOCKS + group * GROUP_SIZE + minedInGroup - 1;
  }

  timeOf(height: number): number {
    const epoch = this.epoch(Math.floor(height / EPOCH_BLOCKS));
    const i = height - epoch.number * EPOCH_BLOCKS;
    return item(this.#blockTimes(epoch, Math.floor(i / GROUP_SIZE)), i % GROUP_SIZE);
  }

  block(height: number): Block {
    const { blockTransactions, volatilityWeight } = PARAMETERS.activity;
    const at = this.timeOf(height);
    const activity = Math.exp(volatilityWeight * signalsOf(this.#market).logVolatility('bitcoin', at));
    return {
      height,
      at,
      hash: this.#hash(height),
      previous: this.#hash(height - 1),
      difficulty: this.epoch(Math.floor(height / EPOCH_BLOCKS)).difficulty,
      transactions: Math.round(blockTransactions * activity * (0.6 + 0.8 * fraction(this.#market.seed, SIZES, height))),
    };
  }

  /** By hash, if it has been mined by now. */
  find(hash: string, now: number): Block | undefined {
    const height = Number.parseInt(hash.slice(-8), 16);
    if (!(height >= FIRST_EPOCH * EPOCH_BLOCKS) || height > this.heightAt(now) || this.#hash(height) !== hash)
      return undefined;
    return this.block(height);
  }

  /** Ends with the height, for lookups. */
  #hash(height: number): string {
    return `${'0'.repeat(20)}${sha256(`${this.#market.seed} ${height}`).slice(0, 36)}${height.toString(16).padStart(8, '0')}`;
  }

  #blockTimes(epoch: Epoch, group: number): readonly number[] {
    return this.#groups.get(epoch.number * GROUP_COUNT + group, () => {
      const span = epoch.length / GROUP_COUNT;
      const start = epoch.start + group * span;
      return Array.from({ length: GROUP_SIZE }, (_, i) => fraction(this.#market.seed, TIMES + i, epoch.number, group))
        .toSorted((a, b) => a - b)
        .map((part) => Math.floor((start + part * span) / 1000) * 1000);
    });
  }

  #appendEpoch({ number, start, length, difficulty }: Epoch): Epoch {
    const next = this.#epoch(
      number + 1,
      start + length,
      difficulty * Math.max(0.25, Math.min(4, TARGET_EPOCH_MS / length)),
    );
    this.#epochs.push(next);
    return next;
  }

  #epoch(number: number, start: number, difficulty: number): Epoch {
    const work = EPOCH_BLOCKS * difficulty * HASHES_PER_DIFFICULTY;
    return {
      number,
      start,
      length: (1000 * work) / trendHashRateAt(this.#market, start + TARGET_EPOCH_MS / 2),
      difficulty,
    };
  }
}

export const bitcoinChainOf = perMarket((market) => new BitcoinChain(market));
