import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';

import type { AuthContext } from '../context.ts';
import { accountDeletedMail } from '../mails/account-deleted.ts';
import { tellProcesses } from '../news.ts';
import { countAdmins, deleteUser, getUser } from '../store/users.ts';
import { requireProof } from './proof.ts';

/** Removes the account and all that belongs to it. The audit log keeps that it happened, without an address. */
export async function deleteAccount(ctx: AuthContext, caller: Caller): Promise<void> {
  await requireProof(ctx, caller);
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await getUser(tx, caller.userId);
    if (user.role === 'admin' && (await countAdmins(tx)) === 1)
      throw new AppError('conflict', 'The only administrator cannot delete this account');
    await ctx.mail.post(tx, await accountDeletedMail({ to: user.email, at }));
    await deleteUser(tx, user.id);
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'account.delete' });
    await tellProcesses(tx, { user: user.id, ended: 'all' });
  });
  for (const farewell of ctx.farewells)
    ctx.afterwards('What follows the deletion of an account', () => farewell(caller.userId));
}
