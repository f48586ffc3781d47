import { createHash } from 'node:crypto';
import type { Market } from './market.ts';
import { fraction } from './random.ts';
import { perMarket, signalsOf, wave, yearsSinceReference } from './signals.ts';
import { DAY, HOUR, item, MARKET_START, MINUTE, PARAMETERS, Recent } from './time.ts';

export const EPOCH_BLOCKS = 2016;
/** The current difficulty epoch when the market began. */
const FIRST_EPOCH = 276;
const FORTNIGHT = EPOCH_BLOCKS * 10 * MINUTE;
/** Blocks are drawn in groups, so that their intervals vary like real ones. */
const GROUP = 12;
const GROUPS = EPOCH_BLOCKS / GROUP;
const [RATE, LUCK, TIMES, SIZES, FEES] = [0x6872, 0x6c75, 0x6274, 0x627a, 0x6665];
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
function powerAt(market: Market, ms: number): number {
  const { reference, yearly, quarterly } = PARAMETERS.hashRate;
  const swing = quarterly * wave(market.seed, RATE, ms, 90 * DAY);
  return reference * Math.exp(yearly * yearsSinceReference(ms) + swing);
}

/** As estimated from the blocks of a day. */
export function hashRateOn(market: Market, day: number): number {
  return (
    powerAt(market, day * DAY) * Math.exp(PARAMETERS.hashRate.daily * wave(market.seed, LUCK, day * DAY, 1.3 * DAY))
  );
}

/** Satoshi per virtual byte for the next block. */
export function feeAt(market: Market, ms: number): number {
  const mood = signalsOf(market).restlessness('bitcoin', ms);
  return Math.exp(1.1 + 0.7 * mood + 0.5 * wave(market.seed, FEES, ms, 6 * HOUR));
}

/** Active addresses on a full day. */
export function addressesOn(market: Market, day: number): number {
  const { bitcoin, restless, move, weekend, noise } = PARAMETERS.addresses;
  const signals = signalsOf(market);
  const weekday = new Date(day * DAY).getUTCDay();
  const heat =
    restless * signals.restlessness('bitcoin', day * DAY) +
    move * Math.abs(signals.trend('bitcoin', day * DAY, DAY)) +
    noise * wave(market.seed, LUCK + 1, day * DAY, 1.3 * DAY);
  return Math.round(bitcoin * Math.exp(heat - (weekday === 0 || weekday === 6 ? weekend : 0)));
}

/** Heights, times and difficulties: each epoch follows from the previous one, and blocks are drawn within it. */
class BitcoinChain {
  readonly #market: Market;
  readonly #epochs: Epoch[] = [];
  readonly #groups = new Recent<readonly number[]>(4000);

  constructor(market: Market) {
    this.#market = market;
    const difficulty = (powerAt(market, MARKET_START) * 600) / HASHES_PER_DIFFICULTY;
    this.#epochs.push(this.#epoch(FIRST_EPOCH, MARKET_START, difficulty));
  }

  epochAt(ms: number): Epoch {
    let last = item(this.#epochs, this.#epochs.length - 1);
    while (last.start + last.length <= ms) last = this.#grow(last);
    let i = Math.max(0, Math.min(this.#epochs.length - 1, Math.floor((ms - MARKET_START) / FORTNIGHT)));
    while (i > 0 && item(this.#epochs, i).start > ms) i -= 1;
    while (i < this.#epochs.length - 1 && item(this.#epochs, i + 1).start <= ms) i += 1;
    return item(this.#epochs, i);
  }

  epoch(number: number): Epoch {
    let last = item(this.#epochs, this.#epochs.length - 1);
    while (last.number < number) last = this.#grow(last);
    return item(this.#epochs, Math.max(0, number - FIRST_EPOCH));
  }

  /** Height of the newest block. */
  heightAt(ms: number): number {
    const epoch = this.epochAt(Math.max(MARKET_START, ms));
    const group = Math.min(GROUPS - 1, Math.floor(((ms - epoch.start) / epoch.length) * GROUPS));
    const found = this.#timesIn(epoch, group).filter((at) => at <= ms).length;
    return epoch.number * EPOCH_BLOCKS + group * GROUP + found - 1;
  }

  timeOf(height: number): number {
    const epoch = this.epoch(Math.floor(height / EPOCH_BLOCKS));
    const i = height - epoch.number * EPOCH_BLOCKS;
    return item(this.#timesIn(epoch, Math.floor(i / GROUP)), i % GROUP);
  }

  block(height: number): Block {
    const { blockTransactions, restless } = PARAMETERS.activity;
    const at = this.timeOf(height);
    const busy = Math.exp(restless * signalsOf(this.#market).restlessness('bitcoin', at));
    return {
      height,
      at,
      hash: this.#hash(height),
      previous: this.#hash(height - 1),
      difficulty: this.epoch(Math.floor(height / EPOCH_BLOCKS)).difficulty,
      transactions: Math.round(blockTransactions * busy * (0.6 + 0.8 * fraction(this.#market.seed, SIZES, height))),
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

  #timesIn(epoch: Epoch, group: number): readonly number[] {
    return this.#groups.get(epoch.number * GROUPS + group, () => {
      const span = epoch.length / GROUPS;
      const start = epoch.start + group * span;
      return Array.from({ length: GROUP }, (_, i) => fraction(this.#market.seed, TIMES + i, epoch.number, group))
        .toSorted((a, b) => a - b)
        .map((part) => Math.floor((start + part * span) / 1000) * 1000);
    });
  }

  #grow({ number, start, length, difficulty }: Epoch): Epoch {
    const next = this.#epoch(number + 1, start + length, difficulty * Math.max(0.25, Math.min(4, FORTNIGHT / length)));
    this.#epochs.push(next);
    return next;
  }

  #epoch(number: number, start: number, difficulty: number): Epoch {
    const work = EPOCH_BLOCKS * difficulty * HASHES_PER_DIFFICULTY;
    return { number, start, length: (1000 * work) / powerAt(this.#market, start + FORTNIGHT / 2), difficulty };
  }
}

export const bitcoinChainOf = perMarket((market) => new BitcoinChain(market));
