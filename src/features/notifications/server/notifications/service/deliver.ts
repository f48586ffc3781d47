import { errorMessage } from '#kernel/errors.ts';
import { createCounter } from '#kernel/route-figures.ts';
import { inSpan } from '#kernel/tracing.ts';

import type { Channel, Delivery, Outcome, Queue, Settle } from '../channel.ts';
import type { NotificationsContext } from '../context.ts';
import { toNotice } from '../notice.ts';
import { WITHDRAWN } from '../store/announce.ts';
import {
  ACCOUNT_DISABLED,
  type Claimed,
  claimDeliveries,
  readTries,
  releaseRateTokens,
  type Settled,
  settleDeliveries,
} from '../store/claim.ts';

const MAX_ATTEMPTS = 6;
const INITIAL_RETRY_MS = 5_000;
const MAX_RETRY_MS = 3_600_000;

/** 5 s, tripled with each attempt, with jitter of 0.5 to 1.5, at most an hour; never less than the channel requests. */
export function retryDelayMs(attemptCounter: number, afterMs: number | undefined, chance = Math.random()): number {
  const wait = Math.min(MAX_RETRY_MS, INITIAL_RETRY_MS * 3 ** (attemptCounter - 1) * (0.5 + chance));
  return Math.max(wait, afterMs ?? 0);
}

/** Applies the outcome of attempt `tries` to a delivery. */
function applyOutcome(id: number, attemptCounter: number, outcome: Outcome, now: Date): Settled {
  if (outcome.state === 'handed') return { id, tries: attemptCounter, state: 'handed', note: null, dueAt: null };
  if (outcome.state !== 'later')
    return { id, tries: attemptCounter, state: outcome.state, note: outcome.note ?? null, dueAt: null };
  if (attemptCounter >= MAX_ATTEMPTS)
    return { id, tries: attemptCounter, state: 'failed', note: outcome.note, dueAt: null };
  return {
    id,
    tries: attemptCounter,
    state: 'due',
    note: outcome.note,
    dueAt: new Date(now.getTime() + retryDelayMs(attemptCounter, outcome.afterMs)),
  };
}

const hasUsedAllAttempts = (attemptCounter: number): boolean => attemptCounter > MAX_ATTEMPTS;

/** Lets channels that hand over report the outcome. */
export const createSettle =
  (now: () => Date): Settle =>
  async (tx, deliveryId, outcome) => {
    const attemptCounter = await readTries(tx, deliveryId);
    if (attemptCounter !== undefined)
      await settleDeliveries(tx, [applyOutcome(deliveryId, attemptCounter, outcome, now())], now());
  };

const attemptCounter = createCounter(
  'meridian_deliveries_total',
  'Delivery attempts of this process by outcome: later means retried, handed means queued as email.',
  ['channel', 'outcome'],
);

/** Longer than any batch may take; the claim of a dead process expires. */
export const CLAIM_MS = 2 * 60_000;
/** Reserved before the lease ends, so that sent deliveries are recorded in time. */
const SETTLING_MS = 15_000;

/** Why a claimed delivery is not sent; null when it is. */
export function skipReason(row: Claimed): Pick<Settled, 'state' | 'note'> | null {
  if (row.is_expired) return { state: 'expired', note: 'Expired before it could be sent' };
  if (row.is_withdrawn) return { state: 'dropped', note: WITHDRAWN };
  if (!row.is_open) return { state: 'dropped', note: ACCOUNT_DISABLED };
  if (!row.is_wanted) return { state: 'dropped', note: 'Turned off in your settings' };
  if (!row.is_in_plan) return { state: 'dropped', note: 'Not included in your plan' };
  if (hasUsedAllAttempts(row.tries)) return { state: 'failed', note: 'The last attempt did not complete' };
  return null;
}

export const toDelivery = (row: Claimed): Delivery => ({
  id: row.id,
  userId: row.user_id,
  eventId: row.event_id,
  channel: row.channel,
  tries: row.tries,
  queuedAt: row.queued_at,
  restartedAt: row.restarted_at,
  notice: toNotice(row),
});

async function send(
  ctx: NotificationsContext,
  channel: Channel,
  rows: Claimed[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const later = (note: string): Outcome[] => rows.map(() => ({ state: 'later', note }));
  try {
    const outcomes = await channel.send(rows.map(toDelivery), signal);
    if (outcomes.length === rows.length) return outcomes;
    throw new Error(`${channel.name} returned ${outcomes.length} outcomes for ${rows.length} deliveries`);
  } catch (error) {
    if (!signal.aborted) ctx.report('notifications', 'system', `The channel ${channel.name} failed`, error);
    return later(`The channel failed: ${errorMessage(error).slice(0, 200)}`);
  }
}

/** Claims, sends and settles one batch. Returns how many were claimed. */
export async function deliverBatch(
  ctx: NotificationsContext,
  channel: Channel,
  signal: AbortSignal,
  line: Queue = 'news',
): Promise<number> {
  const { db, now } = ctx;
  const { name, batch, perSecond, gathersReminders } = channel;
  const until = new Date(now().getTime() + CLAIM_MS);
  const claimed = await claimDeliveries(db, {
    channel: name,
    line,
    batch,
    perSecond,
    gathersReminders,
    now: now(),
    until,
  });
  if (claimed.length === 0) return 0;
  const refused: Settled[] = [];
  const wanted: Claimed[] = [];
  for (const row of claimed) {
    const refusal = skipReason(row);
    if (refusal) refused.push({ id: row.id, tries: row.tries, dueAt: null, ...refusal });
    else wanted.push(row);
  }
  if (refused.length > 0) {
    await settleDeliveries(db, refused, now());
    if (perSecond !== null) await releaseRateTokens(db, name, refused.length);
  }
  if (wanted.length === 0) {
    count(name, refused);
    return claimed.length;
  }
  // When the lease ends, the rest of the batch may be claimed by another worker, even if this process was only
  // suspended.
  const loan = AbortSignal.any([signal, AbortSignal.timeout(CLAIM_MS - SETTLING_MS)]);
  const outcomes = await inSpan(`deliver ${name}`, 'internal', { 'meridian.deliveries': wanted.length }, () =>
    send(ctx, channel, wanted, loan),
  );
  const at = now();
  const settled = wanted.map((row, i) => applyOutcome(row.id, row.tries, outcomes[i] as Outcome, at));
  await settleDeliveries(db, settled, at);
  count(name, [...refused, ...settled]);
  reportFailures(ctx, channel, settled);
  return claimed.length;
}

function count(channel: Channel['name'], settled: readonly Settled[]): void {
  for (const { state } of settled) attemptCounter.inc({ channel, outcome: state === 'due' ? 'later' : state });
}

function reportFailures({ report }: NotificationsContext, { name }: Channel, settled: readonly Settled[]): void {
  const failed = settled.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return;
  const [first] = failed;
  const details = { count: failed.length, delivery: first?.id, note: first?.note };
  report('notifications', 'system', `${name} delivery failed`, details);
}

/** `claiming` stops before a batch, `sending` in the middle of one. */
type Signals = { claiming: AbortSignal; sending: AbortSignal };

/** Sends everything due on one line of a channel, within its rate. Returns how many were claimed. */
export async function drain(
  ctx: NotificationsContext,
  channel: Channel,
  { claiming, sending }: Signals,
  line: Queue = 'news',
): Promise<number> {
  let total = 0;
  for (let count = 1; count > 0 && !claiming.aborted; total += count)
    count = await deliverBatch(ctx, channel, sending, line);
  return total;
}
