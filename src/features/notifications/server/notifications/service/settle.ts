import type { Outcome, Settle } from '../channel.ts';
import { type Settled, settleDeliveries, triesOf } from '../store/settle.ts';

const TRIES = 6;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/** 5 s, then three times as long with each try, half to one and a half of it, an hour at most; never less than the channel asks for. */
export function waitAfter(tries: number, afterMs: number | undefined, chance = Math.random()): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 3 ** (tries - 1) * (0.5 + chance));
  return Math.max(wait, afterMs ?? 0);
}

/** What an outcome makes of a delivery whose try under way is `tries`. */
export function settledBy(id: number, tries: number, outcome: Outcome, now: Date): Settled {
  if (outcome.state === 'handed') return { id, tries, state: 'handed', note: null, dueAt: null };
  if (outcome.state !== 'later') return { id, tries, state: outcome.state, note: outcome.note ?? null, dueAt: null };
  if (tries >= TRIES) return { id, tries, state: 'failed', note: outcome.note, dueAt: null };
  return {
    id,
    tries,
    state: 'due',
    note: outcome.note,
    dueAt: new Date(now.getTime() + waitAfter(tries, outcome.afterMs)),
  };
}

export const isWornOut = (tries: number): boolean => tries > TRIES;

/** For channels that hand over: they tell here what became of it. */
export const settleWith =
  (now: () => Date): Settle =>
  async (tx, deliveryId, outcome) => {
    const tries = await triesOf(tx, deliveryId);
    if (tries !== undefined) await settleDeliveries(tx, [settledBy(deliveryId, tries, outcome, now())], now());
  };
