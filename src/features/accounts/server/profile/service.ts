import { accountTopic } from '#features/accounts/contract/auth.ts';
import { PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import {
  type AuthContext,
  cancelEmailChange,
  getUser,
  hasSecondFactor,
  requestEmailChange,
  setNotifications,
} from '#features/accounts/server/auth/service.ts';
import { type PlanStatus, readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Caller } from '#kernel/route.ts';

/** A card subscription, as payments provide it. */
type CardStatus = { plan: string; cancelled: boolean; pastDue: boolean };

/** A card that renews needs no action; a cancelled one stays active until the period ends. */
export function withCard(standing: PlanStatus, card: CardStatus | null): PlanStatus {
  if (card?.plan !== standing.plan) return standing;
  if (card.cancelled) return standing.status === 'active' ? { ...standing, status: 'cancelled' } : standing;
  return card.pastDue ? standing : { ...standing, needsRenewal: false };
}

export type ProfileContext = AuthContext & { live: Live; cardOf: (userId: number) => Promise<CardStatus | null> };

const iso = (at: Date | null) => at?.toISOString() ?? null;

export async function readSubscription(ctx: ProfileContext, caller: Caller): Promise<Subscription> {
  const user = await getUser(ctx.db, caller.userId);
  const [ledger, card] = await Promise.all([readPlanStatus(ctx.db, user.id, ctx.now()), ctx.cardOf(user.id)]);
  const standing = withCard(ledger, card);
  const plan = resolvePlan(user.role, standing);
  return {
    id: user.id,
    email: user.email,
    pendingEmail: user.pending_email,
    emailVerified: user.email_verified_at !== null,
    plan,
    planName: PLAN_NAMES[plan],
    status: plan === 'admin' ? 'active' : standing.status,
    role: user.role,
    isAdmin: user.role === 'admin',
    currentPeriodEnd: iso(standing.currentPeriodEnd),
    needsRenewal: plan !== 'admin' && standing.needsRenewal,
    expiredAt: plan === 'admin' ? null : iso(standing.expiredAt),
    daysUntilExpiry: standing.daysUntilExpiry,
    notifications: { email: user.notify_email, push: user.notify_push, telegram: user.notify_telegram },
    createdAt: user.created_at,
    weakPassword: user.password_weak === true && !(await hasSecondFactor(ctx.db, user.id)),
  };
}

type Change = { email: string; notifications: Subscription['notifications']; currentPassword?: string | undefined };

/**
 * A new address stays pending until confirmed; the response contains the old one. Requested again, it gets a new link.
 */
export async function updateProfile(
  ctx: ProfileContext,
  caller: Caller,
  change: Change,
): Promise<Subscription & { demoMail?: string }> {
  const user = await getUser(ctx.db, caller.userId);
  const email = change.email.toLowerCase();
  const notify = async (tx: Db) => {
    await setNotifications(tx, user.id, change.notifications);
    await ctx.live.publishTo(tx, user.id, accountTopic, { changed: ['subscription', 'notifications'] });
  };
  if (email === user.email) {
    await ctx.db.transaction().execute(notify);
    return readSubscription(ctx, caller);
  }
  const { demoMail } = await requestEmailChange(ctx, caller, email, change.currentPassword, notify);
  return { ...(await readSubscription(ctx, caller)), ...(demoMail ? { demoMail } : {}) };
}

export async function cancelPendingEmail(ctx: ProfileContext, caller: Caller): Promise<Subscription> {
  await cancelEmailChange(ctx, caller);
  return readSubscription(ctx, caller);
}
