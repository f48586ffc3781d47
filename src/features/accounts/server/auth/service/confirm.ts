import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';

import type { AuthContext } from '../context.ts';
import type { Origin } from '../origin.ts';
import { dropLinks, dropOtherLinks, findLink, markUsed } from '../store/links.ts';
import { hasSecondFactor } from '../store/second-factor.ts';
import { findUser, getUser, markVerified, setEmail, setPasswordHash } from '../store/users.ts';
import { hashOf } from '../tokens.ts';
import { dropEmailChange } from './pending-email.ts';
import { disabled, isDisabled, openSession } from './sessions.ts';

/** People open a link twice, and scanners that run scripts open it before them. */
const SECOND_LOOK_MS = 600_000;

type Confirmed = { email: string; token?: string };

const invalid = () => new AppError('bad_request', 'Invalid confirmation token');
const expired = () => new AppError('bad_request', 'Confirmation token has expired');

/** Confirms the address that a link was sent to. */
export async function confirm(ctx: AuthContext, token: string, origin: Origin): Promise<Confirmed> {
  const hash = hashOf(token);
  const signUp = await findLink(ctx.db, hash, 'confirm');
  if (signUp) return confirmSignUp(ctx, hash, signUp, origin);
  const change = await findLink(ctx.db, hash, 'change_email');
  if (change) return confirmNewEmail(ctx, hash, change, origin);
  throw invalid();
}

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** True for a link that was used a moment ago. @throws AppError for one that no longer holds */
function isSecondLook({ usedAt, expiresAt }: Link, at: Date): boolean {
  if (usedAt && at.getTime() - usedAt.getTime() < SECOND_LOOK_MS) return true;
  if (usedAt) throw invalid();
  if (expiresAt <= at) throw expired();
  return false;
}

/** Of several at once, one gets the token that signs in. */
async function confirmSignUp(ctx: AuthContext, hash: Buffer, link: Link, origin: Origin): Promise<Confirmed> {
  const at = ctx.now();
  const user = link.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!user) throw invalid();
  const { email } = user;
  if (isDisabled(user)) throw disabled();
  if (isSecondLook(link, at)) return { email };
  const won = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return false;
    if (link.data) await setPasswordHash(tx, user.id, link.data, null);
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
  if (!won || (await hasSecondFactor(ctx.db, user.id))) return { email };
  const { token } = await openSession(ctx, await getUser(ctx.db, user.id), origin, 'mail link');
  return { email, token };
}

/** The account goes on under its new address. */
async function confirmNewEmail(ctx: AuthContext, hash: Buffer, link: Link, origin: Origin): Promise<Confirmed> {
  const at = ctx.now();
  const { userId, data: email } = link;
  if (!userId || !email) throw invalid();
  if (isSecondLook(link, at)) return { email };
  const changed = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return true;
    if (!(await setEmail(tx, userId, email, at))) {
      await dropEmailChange(tx, userId);
      return false;
    }
    // What was mailed to the old address opens the account no longer.
    await dropLinks(tx, userId, 'reset');
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'email.change', network: origin.network });
    return true;
  });
  if (!changed) throw invalid();
  return { email };
}
