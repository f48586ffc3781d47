import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { standingOf } from '#features/accounts/server/subscriptions/service.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import { COMING_SOON, type Period } from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { UsdcContext } from '../context.ts';

/** Null when USDC can be paid on this network, else why not, in words for people. */
export function closedOf({ config, rails }: UsdcContext, network: Network): string | null {
  if (!config.CRYPTO_PAYMENTS) return 'USDC payments are turned off.';
  return rails[network].closed;
}

export function refuseClosed(ctx: UsdcContext, network: Network): void {
  if (ctx.config.LAUNCH_COMING_SOON) throw new AppError('unavailable', COMING_SOON);
  const closed = closedOf(ctx, network);
  if (closed !== null) throw new AppError('unavailable', closed);
}

/** A card that goes on charging is ended first: months paid ahead would pile up behind what it pays. One that was declined has ended nothing. */
export async function refuseRenewed({ cardOf }: UsdcContext, userId: number): Promise<void> {
  const card = await cardOf(userId);
  if (card && !card.cancelled && !card.pastDue)
    throw new AppError(
      'conflict',
      `${PLAN_NAMES[card.plan]} renews by card, so you would pay twice. Choose Cancel Subscription in your profile first: you keep the paid period, and your USDC payment extends it.`,
    );
}

/** Only a plan that has ended or is about to is renewed, and only that plan. */
export async function refuseRenewal(
  db: Db,
  { userId, plan, periods, now }: { userId: number; plan: 'pro' | 'premium'; periods: readonly Period[]; now: Date },
): Promise<void> {
  const standing = await standingOf(db, userId, now);
  if (standing.status === 'none') throw new AppError('conflict', 'No plan to renew. Choose one on the plans page.');
  if (!standing.needsRenewal) throw new AppError('conflict', 'Your plan does not need renewing yet.');
  const last = periods.toSorted((a, b) => b.cut - a.cut)[0];
  if (last && last.plan !== plan)
    throw new AppError('bad_request', 'You can only renew the plan you had. Choose a different one on the plans page.');
}
