import { audit } from '#server/platform/audit.ts';

import type { AuthContext } from '../context.ts';
import type { Origin } from '../origin.ts';
import { dropLinks, dropOtherLinks, findLink, markUsed } from '../store/links.ts';
import { hasSecondFactor } from '../store/second-factor.ts';
import { findUser, getUser, markVerified, setEmail, setPasswordHash } from '../store/users.ts';
import { hashOf } from '../tokens.ts';
import { dropEmailChange } from './pending-email.ts';
import { disabled, isDisabled, openSession } from './sessions.ts';

/** Mail scanners and impatient people open a link twice. */
const SECOND_LOOK_MS = 600_000;

const failed = (error: string) => `/auth/confirm-error?error=${encodeURIComponent(error)}`;
const succeeded = (email: string, token?: string) =>
  `/auth/confirm-success?${token ? `token=${token}&` : ''}email=${encodeURIComponent(email)}`;

const isSecondLook = (usedAt: Date, at: Date) => at.getTime() - usedAt.getTime() < SECOND_LOOK_MS;

/** Confirms an address and signs its owner in. Returns where the browser goes next. */
export async function confirmEmail(ctx: AuthContext, token: string | undefined, origin: Origin): Promise<string> {
  if (!token) return failed('Confirmation token is required');
  const at = ctx.now();
  const hash = hashOf(token);
  const link = await findLink(ctx.db, hash, 'confirm');
  const user = link?.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!link || !user) return failed('Invalid confirmation token');
  if (isDisabled(user)) return failed(disabled().message);
  if (link.usedAt) return isSecondLook(link.usedAt, at) ? succeeded(user.email) : failed('Invalid confirmation token');
  if (link.expiresAt <= at) return failed('Confirmation token has expired');
  const won = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return false;
    if (link.data) await setPasswordHash(tx, user.id, link.data);
    await markVerified(tx, user.id, at);
    await dropOtherLinks(tx, user.id, 'confirm', hash);
    await audit(tx, {
      at,
      actorId: user.id,
      subjectId: user.id,
      action: 'email.confirm',
      network: origin.network,
    });
    return true;
  });
  if (!won || (await hasSecondFactor(ctx.db, user.id))) return succeeded(user.email);
  const { token: session } = await openSession(ctx, await getUser(ctx.db, user.id), origin, 'mail link');
  return succeeded(user.email, session);
}

/** Confirms a new address of an account that goes on. Returns where the browser goes next. */
export async function confirmNewEmail(ctx: AuthContext, token: string | undefined, origin: Origin): Promise<string> {
  if (!token) return failed('Confirmation token is required');
  const at = ctx.now();
  const hash = hashOf(token);
  const link = await findLink(ctx.db, hash, 'change_email');
  const { userId, data: email } = link ?? {};
  if (!link || !userId || !email) return failed('Invalid confirmation token');
  if (link.usedAt) return isSecondLook(link.usedAt, at) ? succeeded(email) : failed('Invalid confirmation token');
  if (link.expiresAt <= at) return failed('Confirmation token has expired');
  const changed = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return 'by another';
    if (!(await setEmail(tx, userId, email, at))) {
      await dropEmailChange(tx, userId);
      return 'not';
    }
    // What was mailed to the old address opens the account no longer.
    await dropLinks(tx, userId, 'reset');
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'email.change', network: origin.network });
    return 'here';
  });
  return changed === 'not' ? failed('Invalid confirmation token') : succeeded(email);
}
