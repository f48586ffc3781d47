import { AppError } from '#kernel/errors.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import { asking, type CardsContext, disabledReason } from './context.ts';
import { cleanUp } from './service/clean-up.ts';
import { handleWebhook } from './service/handle-webhook.ts';
import { sync } from './service/sync.ts';
import type { Cards } from './service.ts';
import { replayedUntil, setReplayed } from './store/invoices.ts';
import { findNeedingCleanUp, findOverdue } from './store/subscriptions.ts';
import { HEARD } from './stripe-snapshot.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Stripe retains events for thirty days. */
const LONGEST_MS = 29 * DAY_MS;

const isAway = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

/**
 * Recovers missed webhooks: replays every event since the last run, with an hour of overlap, re-reads subscriptions
 * past the end of their period, and ends those that are superseded. Stops when Stripe is unavailable, without recording
 * anything it could not read in full.
 */
async function reconcile(ctx: CardsContext): Promise<void> {
  if (disabledReason(ctx.config)) return;
  const now = ctx.now().getTime();
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (isAway(error)) throw error;
      failures.push(error);
    }
  };
  const until = (await replayedUntil(ctx.db))?.getTime() ?? now - DAY_MS;
  const since = Math.max(until - HOUR_MS, now - LONGEST_MS);
  const query = { created: { gte: Math.floor(since / 1000) }, types: [...HEARD], limit: 100 };
  const events = await asking(ctx, (stripe) => stripe.events.list(query).autoPagingToArray({ limit: 10_000 }));
  for (const event of events.toReversed()) await attempt(() => handleWebhook(ctx, event));
  for (const id of await findOverdue(ctx.db, new Date(now - HOUR_MS)))
    await attempt(() => sync(ctx, { subscriptionId: id }));
  for (const userId of await findNeedingCleanUp(ctx.db)) await attempt(() => cleanUp(ctx, userId));
  // An event that cannot be processed is reported and skipped, so that it does not block the others forever.
  await setReplayed(ctx.db, new Date(now));
  if (failures.length > 0) throw failures[0];
}

export const cardsJobs = ({ ctx }: Cards): Job[] => [
  defineJob({
    name: 'cards.reconcile',
    about: 'Syncs missed card webhooks and ends subscriptions that must no longer be charged',
    schedule: ['*/10 * * * *'],
    exclusive: true,
    // The next run follows soon.
    retryLimit: 0,
    payload: noPayload,
    run: () => reconcile(ctx),
  }),
];
