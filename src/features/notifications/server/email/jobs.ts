import type { Settle } from '#features/notifications/server/notifications/channel.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import { STORED_NOTE } from './channel.ts';
import type { EmailContext } from './context.ts';
import { deleteOldSuppressions, type Handed, lostHanded } from './store.ts';

const BATCH_SIZE = 500;
/** An email and its delivery are recorded in the same transaction: younger ones are still in progress. */
const MIN_AGE_MS = 60_000;

function toOutcome({ mode }: EmailContext, { state, note }: Omit<Handed, 'deliveryId'>) {
  if (state === 'failed') return { state: 'failed' as const, note: note ?? 'The email could not be delivered' };
  return state === 'kept' ? { state: 'sent' as const, note: STORED_NOTE[mode] } : { state: 'sent' as const };
}

/** Settles deliveries whose email has finished or no longer exists. Returns how many. */
async function reconcile(ctx: EmailContext, settle: Settle, signal: AbortSignal): Promise<number> {
  let settled = 0;
  while (!signal.aborted) {
    const before = new Date(ctx.now().getTime() - MIN_AGE_MS);
    const lost = await lostHanded(ctx.db, before, BATCH_SIZE);
    for (const { deliveryId, mail } of lost) {
      const outcome = mail
        ? toOutcome(ctx, mail)
        : { state: 'failed' as const, note: 'The email was deleted before it was sent' };
      await settle(ctx.db, deliveryId, outcome);
    }
    settled += lost.length;
    if (lost.length < BATCH_SIZE) break;
  }
  return settled;
}

export function emailJobs(ctx: EmailContext, settle: Settle): Job[] {
  return [
    defineJob({
      name: 'email.reconcile',
      about: 'Closes email notifications left without an outcome and removes expired pauses',
      schedule: ['3-59/10 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async (_, signal) => {
        await reconcile(ctx, settle, signal);
        await deleteOldSuppressions(ctx.db, ctx.now());
      },
    }),
  ];
}
