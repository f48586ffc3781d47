import { busyAt } from '#sandbox/market/activity.ts';
import type { Market } from '#sandbox/market/market.ts';
import { PARAMETERS } from '#sandbox/market/parameters.ts';
import { fraction } from '#sandbox/market/random.ts';
import { MARKET_START, MINUTE } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { RpcError, rpcProvider } from './json-rpc.ts';

const [FIRST_SLOT, SLOT_MS, SALT] = [20_000_000, 395, 0x736f];
const MOST_SAMPLES = 720;
/** Votes go with every slot. */
const VOTES = 1040;

const slotAt = (ms: number) => FIRST_SLOT + Math.floor((ms - MARKET_START) / SLOT_MS);

function sample(market: Market, minute: number) {
  const [from, to] = [minute * MINUTE, (minute + 1) * MINUTE];
  const whim = 0.94 + 0.12 * fraction(market.seed, SALT, minute);
  const numSlots = slotAt(to) - slotAt(from);
  const nonVote = Math.round(PARAMETERS.activity.solanaSecond * 60 * busyAt(market, 'solana', from) * whim);
  return {
    numNonVoteTransactions: nonVote,
    numSlots,
    numTransactions: nonVote + numSlots * VOTES,
    samplePeriodSecs: 60,
    slot: slotAt(to),
  };
}

export const solana = (market: Market): Provider =>
  rpcProvider('solana', 'SOLANA', {
    getHealth: () => 'ok',
    getSlot: (_params, now) => slotAt(now),
    getRecentPerformanceSamples: ([limit = MOST_SAMPLES], now) => {
      if (typeof limit !== 'number' || limit < 0) throw new RpcError(-32_602, 'Invalid params: invalid type');
      if (limit > MOST_SAMPLES) throw new RpcError(-32_602, `Invalid limit; max ${MOST_SAMPLES}`);
      const last = Math.floor(now / MINUTE) - 1;
      return Array.from({ length: limit }, (_, i) => sample(market, last - i));
    },
  });
