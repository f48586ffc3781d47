import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { notifyAccountChange } from '../account-changes.ts';
import type { AuthContext } from '../context.ts';
import type { Origin } from '../origin.ts';
import { dropEntrances } from '../store/links.ts';
import { lockUser, setDisabled, type UserRow } from '../store/users.ts';
import { requireProof } from './proof.ts';
import { endSessions, isDisabled } from './sessions.ts';

type Change = {
  userId: number;
  /** What other features end or write with it, in the same transaction. */
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
    await dropEntrances(tx, userId);
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
