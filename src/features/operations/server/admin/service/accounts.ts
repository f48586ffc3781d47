import {
  accountDisabledMail,
  deleteAccountOf,
  disableAccount,
  enableAccount,
  endSessions,
  limitMail,
  type Origin,
  postConfirmation,
} from '#features/accounts/server/auth/service.ts';
import { dropWaiting } from '#features/notifications/server/notifications/service.ts';
import type { AdminUser } from '#features/operations/contract/admin.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { AdminContext } from '../context.ts';
import { dropMail } from '../store/mail.ts';
import { getListed } from './users.ts';

/** Who acts on which account, and from where. */
export type Act = { caller: Caller; origin: Origin; userId: number };

export async function remove(ctx: AdminContext, { caller, origin, userId }: Act): Promise<{ message: string }> {
  const email = await deleteAccountOf(ctx, caller, userId, origin);
  return { message: `User ${email} deleted successfully` };
}

/** What waits to be told is dropped, the card is not charged again, and the person is told by mail: they could not find out otherwise. */
export async function disable(ctx: AdminContext, { caller, origin, userId }: Act, reason: string): Promise<AdminUser> {
  await disableAccount(ctx, caller, origin, {
    userId,
    reason,
    async beside(tx, { email }, at) {
      await dropWaiting(tx, userId);
      await dropMail(tx, email, 'The account was disabled');
      const link = `${ctx.publicUrl()}/app/contact`;
      await ctx.mail.post(tx, await accountDisabledMail({ to: email, at, change: 'disabled', link }));
    },
  });
  ctx.afterwards('Failed to end the card subscription of a disabled account', () => ctx.cards.giveWay(userId));
  return getListed(ctx, userId);
}

export async function enable(ctx: AdminContext, { caller, origin, userId }: Act): Promise<AdminUser> {
  await enableAccount(ctx, caller, origin, {
    userId,
    async beside(tx, { email }, at) {
      const link = `${ctx.publicUrl()}/app?auth=login`;
      await ctx.mail.post(tx, await accountDisabledMail({ to: email, at, change: 'enabled', link }));
    },
  });
  return getListed(ctx, userId);
}

export async function resendConfirmation(
  ctx: AdminContext,
  { caller, origin, userId }: Act,
): Promise<{ message: string }> {
  const { email, emailVerified, isDisabled } = await getListed(ctx, userId);
  if (emailVerified) throw new AppError('conflict', 'This address is already confirmed');
  if (isDisabled) throw new AppError('conflict', 'This account is disabled');
  await limitMail(ctx, 'confirm', email);
  await ctx.db.transaction().execute(async (tx) => {
    await postConfirmation(ctx, tx, { id: userId, email }, null);
    const entry = { actorId: caller.userId, subjectId: userId, action: 'email.resend', network: origin.network };
    await audit(tx, { at: ctx.now(), ...entry });
  });
  return { message: `Confirmation email sent to ${email}` };
}

/** `session` null ends all of them. */
export async function signOut(
  ctx: AdminContext,
  { caller, userId }: Act,
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
