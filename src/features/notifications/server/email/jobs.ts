import type { Settle } from '#features/notifications/server/notifications/channel.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import { KEPT_NOTE } from './channel.ts';
import type { EmailContext } from './context.ts';
import { forgetOldSuppressions, type Handed, lostHanded } from './store.ts';

const AT_ONCE = 500;
/** An email and its delivery are recorded in the same transaction: younger ones are still in progress. */
const SETTLED_MS = 60_000;

function outcomeOf({ mode }: EmailContext, { state, note }: Omit<Handed, 'deliveryId'>) {
  if (state === 'failed') return { state: 'failed' as const, note: note ?? 'The email could not be delivered' };
  return state === 'kept' ? { state: 'sent' as const, note: KEPT_NOTE[mode] } : { state: 'sent' as const };
}

/** Settles deliveries whose email has finished or no longer exists. Returns how many. */
async function reconcile(ctx: EmailContext, settle: Settle, signal: AbortSignal): Promise<number> {
  let settled = 0;
  while (!signal.aborted) {
    const before = new Date(ctx.now().getTime() - SETTLED_MS);
    const lost = await lostHanded(ctx.db, before, AT_ONCE);
    for (const { deliveryId, mail } of lost) {
      const outcome = mail
        ? outcomeOf(ctx, mail)
        : { state: 'failed' as const, note: 'The email was deleted before it was sent' };
      await settle(ctx.db, deliveryId, outcome);
    }
    settled += lost.length;
    if (lost.length < AT_ONCE) break;
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
        await forgetOldSuppressions(ctx.db, ctx.now());
      },
    }),
  ];
}
