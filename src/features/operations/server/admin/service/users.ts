import { accountTopic } from '#features/accounts/contract/auth.ts';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  accountDisabledMail,
  deleteAccountById,
  disableAccount,
  enableAccount,
  endSessions,
  limitMail,
  notifyAccountChange,
  type Origin,
  planChangedMail,
  requireProof,
  sendConfirmation,
} from '#features/accounts/server/auth/service.ts';
import { addFact, readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { dropPending } from '#features/notifications/server/notifications/service.ts';
import type { AdminUser } from '#features/operations/contract/admin.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { AdminContext } from '../context.ts';
import { countUsers as count, dropMail, findUsers, type ListedUser } from '../store.ts';

async function withPlans(ctx: AdminContext, users: ListedUser[]): Promise<AdminUser[]> {
  const ids = users.map(({ id }) => id);
  const standings = await readPlanStatuses(ctx.db, ids, ctx.now());
  return users.flatMap(({ role, ...user }) => {
    const standing = standings.get(user.id);
    if (!standing) return [];
    const isAdmin = role === 'admin';
    const subscriptionStatus = isAdmin ? 'active' : standing.status;
    return [{ ...user, isAdmin, plan: resolvePlan(role, standing), subscriptionStatus }];
  });
}

export async function getListed(ctx: AdminContext, id: number): Promise<AdminUser> {
  const [user] = await withPlans(ctx, await findUsers(ctx.db, { id }));
  if (!user) throw new AppError('not_found', 'User not found');
  return user;
}

export async function listUsers(ctx: AdminContext, q: string | undefined): Promise<AdminUser[]> {
  return withPlans(ctx, await findUsers(ctx.db, { q }));
}

export const countUsers = (ctx: AdminContext, q: string | undefined): Promise<number> => count(ctx.db, q);

type Wanted = { plan: 'free' | 'pro' | 'premium'; until: string | null; note: string };

/** Writes an entitlement fact in the admin's name. The user is notified by email, and their open pages immediately. */
export async function setPlan(
  ctx: AdminContext,
  caller: Caller,
  { network }: Origin,
  userId: number,
  wanted: Wanted,
): Promise<AdminUser> {
  await requireProof(ctx, caller);
  const at = ctx.now();
  const until = wanted.until === null ? null : new Date(wanted.until);
  if (until && until <= at) throw new AppError('bad_request', 'The end date must be in the future');
  const [user] = await findUsers(ctx.db, { id: userId });
  if (!user) throw new AppError('not_found', 'User not found');
  if (user.role === 'admin') throw new AppError('conflict', 'Administrators already have every feature');
  await ctx.db.transaction().execute(async (tx) => {
    await addFact(tx, {
      userId,
      source: 'admin',
      plan: wanted.plan,
      startsAt: at,
      endsAt: until,
      at,
      createdBy: caller.userId,
      note: wanted.note,
    });
    const { plan, note } = wanted;
    await audit(tx, {
      at,
      actorId: caller.userId,
      subjectId: userId,
      action: 'plan.set',
      details: { plan, until: wanted.until, note },
      network,
    });
    const link = `${ctx.publicUrl()}/app/profile?tab=subscription`;
    await ctx.mail.enqueue(tx, await planChangedMail({ to: user.email, planName: PLAN_NAMES[plan], until, link }));
    await ctx.live.publishTo(tx, userId, accountTopic, { changed: ['subscription'] });
    await notifyAccountChange(tx, { user: userId, ended: 'all' });
  });
  return getListed(ctx, userId);
}

/** Who acts on which account, and from where. */
export type AdminAction = { caller: Caller; origin: Origin; userId: number };

export async function remove(ctx: AdminContext, { caller, origin, userId }: AdminAction): Promise<{ message: string }> {
  const email = await deleteAccountById(ctx, caller, userId, origin);
  return { message: `User ${email} deleted successfully` };
}

/**
 * Pending notifications are dropped, the card is not charged again, and the user is informed by email, as they would
 * not find out otherwise.
 */
export async function disable(
  ctx: AdminContext,
  { caller, origin, userId }: AdminAction,
  reason: string,
): Promise<AdminUser> {
  await disableAccount(ctx, caller, origin, {
    userId,
    reason,
    async beside(tx, { email }, at) {
      await dropPending(tx, userId);
      await dropMail(tx, email, 'The account was disabled');
      const link = `${ctx.publicUrl()}/app/contact`;
      await ctx.mail.enqueue(tx, await accountDisabledMail({ to: email, at, change: 'disabled', link }));
    },
  });
  ctx.afterwards('Failed to end the card subscription of a disabled account', () => ctx.cards.giveWay(userId));
  return getListed(ctx, userId);
}

export async function enable(ctx: AdminContext, { caller, origin, userId }: AdminAction): Promise<AdminUser> {
  await enableAccount(ctx, caller, origin, {
    userId,
    async beside(tx, { email }, at) {
      const link = `${ctx.publicUrl()}/app?auth=login`;
      await ctx.mail.enqueue(tx, await accountDisabledMail({ to: email, at, change: 'enabled', link }));
    },
  });
  return getListed(ctx, userId);
}

export async function resendConfirmation(
  ctx: AdminContext,
  { caller, origin, userId }: AdminAction,
): Promise<{ message: string }> {
  const { email, emailVerified, isDisabled } = await getListed(ctx, userId);
  if (emailVerified) throw new AppError('conflict', 'This address is already confirmed');
  if (isDisabled) throw new AppError('conflict', 'This account is disabled');
  await limitMail(ctx, 'confirm', email);
  await ctx.db.transaction().execute(async (tx) => {
    await sendConfirmation(ctx, tx, { id: userId, email }, null);
    const entry = { actorId: caller.userId, subjectId: userId, action: 'email.resend', network: origin.network };
    await audit(tx, { at: ctx.now(), ...entry });
  });
  return { message: `Confirmation email sent to ${email}` };
}

/** With `session` null, ends all of them. */
export async function signOut(
  ctx: AdminContext,
  { caller, userId }: AdminAction,
  session: string | null,
): Promise<{ ended: number }> {
  await getListed(ctx, userId);
  const which = session === null ? 'all' : { only: Number(session) };
  const ended = await ctx.db
    .transaction()
    .execute((tx) => endSessions(tx, { userId, which, at: ctx.now(), actorId: caller.userId }));
  if (session !== null && ended === 0) throw new AppError('not_found', 'This session has already ended');
  return { ended };
}
