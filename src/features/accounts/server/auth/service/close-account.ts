import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import { notifyAccountChange } from '../account-changes.ts';
import type { AuthContext } from '../context.ts';
import { accountDeletedMail } from '../mails/account.ts';
import type { Origin } from '../origin.ts';
import { deleteSignInLinks } from '../store/links.ts';
import { countAdmins, deleteUser, getUser, lockUser, setDisabled, type UserRow } from '../store/users.ts';
import { requireProof } from './proof.ts';
import { endSessions, isDisabled } from './sessions.ts';

/** Deletes the caller's account with all its data. */
export async function deleteAccount(ctx: AuthContext, caller: Caller): Promise<void> {
  await requireProof(ctx, caller);
  await ctx.db.transaction().execute(async (tx) => {
    // Administrators lock each other before themselves, so that two who delete at once cannot deadlock.
    if ((await getUser(tx, caller.userId)).role === 'admin' && (await countAdmins(tx)) === 1)
      throw new AppError('conflict', 'You cannot delete the only administrator account');
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AppError('unauthenticated', 'Authentication required');
    await remove(ctx, tx, user, { actorId: user.id, network: null });
  });
  sendDeletionMail(ctx, caller.userId);
}

/** Deletion by an administrator, never of another administrator. Returns the former address. */
export async function deleteAccountById(
  ctx: AuthContext,
  caller: Caller,
  userId: number,
  { network }: Origin,
): Promise<string> {
  await requireProof(ctx, caller);
  const email = await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_found', 'User not found');
    if (user.role === 'admin') throw new AppError('conflict', 'Cannot delete admin users');
    await remove(ctx, tx, user, { actorId: caller.userId, network });
    return user.email;
  });
  sendDeletionMail(ctx, userId);
  return email;
}

type ClosedBy = { actorId: number; network: string | null };

/** The audit log records the deletion without an address. */
async function remove(ctx: AuthContext, tx: Db, user: UserRow, { actorId, network }: ClosedBy): Promise<void> {
  const at = ctx.now();
  const byAdmin = actorId !== user.id;
  await ctx.mail.enqueue(tx, await accountDeletedMail({ to: user.email, at, byAdmin }));
  await deleteUser(tx, user.id);
  await audit(tx, { at, actorId, subjectId: user.id, action: 'account.delete', network });
  await notifyAccountChange(tx, { user: user.id, ended: 'all' });
}

function sendDeletionMail(ctx: AuthContext, userId: number): void {
  for (const farewell of ctx.farewells)
    ctx.afterwards('Failed to complete an account deletion', () => farewell(userId));
}

type Change = {
  userId: number;
  /** Additional work of other features in the same transaction. */
  beside: (tx: Db, user: UserRow, at: Date) => Promise<unknown>;
};

/** Blocks every sign-in and ends all sessions, in every process. The data is retained. */
export async function disableAccount(
  ctx: AuthContext,
  caller: Caller,
  { network }: Origin,
  { userId, reason, beside }: Change & { reason: string },
): Promise<void> {
  await requireProof(ctx, caller);
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_found', 'User not found');
    if (user.role === 'admin') throw new AppError('conflict', 'Cannot disable admin users');
    if (isDisabled(user)) throw new AppError('conflict', 'This account is already disabled');
    await setDisabled(tx, userId, { at, by: caller.userId, reason });
    await deleteSignInLinks(tx, userId);
    await endSessions(tx, { userId, which: 'all', at, actorId: caller.userId });
    await beside(tx, user, at);
    const entry = {
      actorId: caller.userId,
      subjectId: userId,
      action: 'account.disable',
      details: { reason },
      network,
    };
    await audit(tx, { at, ...entry });
    await notifyAccountChange(tx, { user: userId, ended: 'all' });
  });
}

export async function enableAccount(
  ctx: AuthContext,
  caller: Caller,
  { network }: Origin,
  { userId, beside }: Change,
): Promise<void> {
  await requireProof(ctx, caller);
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_found', 'User not found');
    if (!isDisabled(user)) throw new AppError('conflict', 'This account is not disabled');
    await setDisabled(tx, userId, null);
    await beside(tx, user, at);
    await audit(tx, { at, actorId: caller.userId, subjectId: userId, action: 'account.enable', network });
    await notifyAccountChange(tx, { user: userId, ended: 'all' });
  });
}
