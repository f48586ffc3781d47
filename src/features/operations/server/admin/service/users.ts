import { accountTopic } from '#features/accounts/contract/auth.ts';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  notifyAccountChange,
  type Origin,
  planChangedMail,
  requireProof,
} from '#features/accounts/server/auth/service.ts';
import { addFact, planOf, standingsOf } from '#features/accounts/server/subscriptions/service.ts';
import type { AdminUser } from '#features/operations/contract/admin.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { AdminContext } from '../context.ts';
import { countUsers as count, findUsers, type ListedUser } from '../store/users.ts';

async function withPlans(ctx: AdminContext, users: ListedUser[]): Promise<AdminUser[]> {
  const ids = users.map(({ id }) => id);
  const standings = await standingsOf(ctx.db, ids, ctx.now());
  return users.flatMap(({ role, ...user }) => {
    const standing = standings.get(user.id);
    if (!standing) return [];
    const isAdmin = role === 'admin';
    const subscriptionStatus = isAdmin ? 'active' : standing.status;
    return [{ ...user, isAdmin, plan: planOf(role, standing), subscriptionStatus }];
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

/** Writes a fact with the admin's name into the ledger. The person is told by mail, and every open page of theirs at once. */
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
    await ctx.mail.post(tx, await planChangedMail({ to: user.email, planName: PLAN_NAMES[plan], until, link }));
    await ctx.live.publishTo(tx, userId, accountTopic, { changed: ['subscription'] });
    await notifyAccountChange(tx, { user: userId, ended: 'all' });
  });
  return getListed(ctx, userId);
}
