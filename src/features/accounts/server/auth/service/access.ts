import type { RemainingAccess } from '#features/accounts/contract/auth.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { notifyAccountChange } from '../account-changes.ts';
import type { AuthContext } from '../context.ts';
import { accessAddedMail, type NewAccess } from '../mails/security.ts';
import type { Origin } from '../origin.ts';
import { readRemainingAccess, revokeAccess } from '../store/access.ts';
import { consumeLink, findLink } from '../store/links.ts';
import { getUser } from '../store/users.ts';
import { hashToken } from '../tokens.ts';
import { signInUrls } from './links.ts';

/** Reports new access by email, in the transaction that grants it. */
export async function notifyAccessAdded(
  ctx: Pick<AuthContext, 'now' | 'publicUrl'> & { mail: Pick<AuthContext['mail'], 'enqueue'> },
  tx: Db,
  userId: number,
  added: NewAccess,
): Promise<void> {
  const { email } = await getUser(tx, userId);
  const link = signInUrls(ctx).resetLink;
  await ctx.mail.enqueue(tx, await accessAddedMail({ ...added, to: email, at: ctx.now(), link }));
}

const unusableLink = () =>
  new AppError('bad_request', 'This link is invalid or has expired. Sign in and check your profile instead.');

/** Access remaining after a reset, for the link in its email. */
export async function remainingAccess(ctx: AuthContext, token: string): Promise<{ remaining: RemainingAccess[] }> {
  const link = await findLink(ctx.db, hashToken(token), 'end_access');
  if (!link?.userId || link.expiresAt <= ctx.now()) throw unusableLink();
  return { remaining: await readRemainingAccess(ctx.db, link.userId) };
}

/** Revokes everything that outlived a reset: keys, webhooks, chats and passkeys. */
export async function revokeRemainingAccess(ctx: AuthContext, token: string, { network }: Origin): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const at = ctx.now();
    const spent = await consumeLink(tx, hashToken(token), 'end_access', at);
    if (!spent?.userId) throw unusableLink();
    const { userId } = spent;
    await revokeAccess(tx, userId, at);
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'access.end', network });
    await notifyAccountChange(tx, { user: userId, ended: [] });
  });
}
