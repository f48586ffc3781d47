import type { Market } from './market.ts';
import { perMarket, signalsOf, wave } from './signals.ts';
import { DAY, HOUR, item, MARKET_START, PARAMETERS } from './time.ts';

export type ActiveChain = 'ethereum' | 'solana' | 'sui' | 'ripple';

const SALTS: Readonly<Record<ActiveChain, number>> = { ethereum: 0x6161, solana: 0x6162, sui: 0x6163, ripple: 0x6164 };

/** Activity of a chain, usually 1: more when its coin is volatile, and by time of day. */
export function activityAt(market: Market, chain: ActiveChain, ms: number): number {
  const volatility = PARAMETERS.activity.volatilityWeight * signalsOf(market).logVolatility(chain, ms);
  const salt = SALTS[chain];
  return Math.exp(
    volatility + 0.08 * wave(market.seed, salt, ms, 5 * HOUR) + 0.05 * wave(market.seed, salt + 16, ms, 2 * DAY),
  );
}

export const CHECKPOINT_MS = 250;
const PER_DAY = DAY / CHECKPOINT_MS;
const FIRST_CHECKPOINT = 2_000_000;
const FIRST_TOTAL = 40_000_000;

/** Sui checkpoints, four per second, and the transactions up to each. */
class SuiCheckpoints {
  readonly #market: Market;
  readonly #totals: number[] = [FIRST_TOTAL];

  constructor(market: Market) {
    this.#market = market;
  }

  latestAt(ms: number): number {
    return FIRST_CHECKPOINT + Math.floor((ms - MARKET_START) / CHECKPOINT_MS);
  }

  timeOf(checkpoint: number): number {
    return MARKET_START + (checkpoint - FIRST_CHECKPOINT) * CHECKPOINT_MS;
  }

  /** A day's transactions are spread evenly over its checkpoints. */
  totalAt(checkpoint: number): number {
    const since = Math.max(0, checkpoint - FIRST_CHECKPOINT);
    const day = Math.floor(since / PER_DAY);
    for (let i = this.#totals.length; i <= day + 1; i++) {
      const rate = PARAMETERS.activity.suiCheckpoint * activityAt(this.#market, 'sui', MARKET_START + (i - 1) * DAY);
      this.#totals.push(item(this.#totals, i - 1) + Math.round(rate * PER_DAY));
    }
    const [from, to] = [item(this.#totals, day), item(this.#totals, day + 1)];
    return Math.floor(from + ((to - from) * (since % PER_DAY)) / PER_DAY);
  }
}

export const suiCheckpointsOf = perMarket((market) => new SuiCheckpoints(market));
