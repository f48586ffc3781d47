import type { SignedIn } from '#features/accounts/contract/auth.ts';
import { planOf, standingOf } from '#features/accounts/server/subscriptions/service.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { TicketHolder } from '#kernel/live/route.ts';
import type { Caller } from '#kernel/route.ts';
import { sessionEnd } from '../callers.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { forgiveLogin, isOverWeakLimit, limitLogin, mayMail } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isOutdated, isWeakPassword, verifyPassword } from '../passwords.ts';
import { hasSecondFactor } from '../store/access.ts';
import { findLink, spendLink } from '../store/links.ts';
import { findStart } from '../store/sessions.ts';
import { findUser, findUserByEmail, setPasswordHash, setPasswordWeak, type UserRow } from '../store/users.ts';
import { hashOf } from '../tokens.ts';
import { makeToken } from './links.ts';
import { type Credentials, postConfirmation, type ToConfirm, toConfirm } from './registration.ts';
import { disabled, isDisabled, openSession } from './sessions.ts';

type ToSecondFactor = { requiresTwoFactor: true; challenge: string };

export async function login(
  ctx: AuthContext,
  { email, password }: Credentials,
  origin: Origin,
): Promise<SignedIn | ToConfirm | ToSecondFactor> {
  await limitLogin(ctx, email, origin.network);
  const user = await findUserByEmail(ctx.db, email);
  const isRight = await verifyPassword(user?.password_hash ?? null, password);
  // Reported as a wrong password: a different response would reveal which accounts are easy to guess.
  const isOver = user?.password_weak === true && (await isOverWeakLimit(ctx, email, origin.network));
  if (!user || !isRight || isOver) {
    await noteRefusal(ctx, user, origin, 'password');
    throw new AppError('unauthenticated', 'Invalid email or password');
  }
  await forgiveLogin(ctx, email, origin.network);
  if (isDisabled(user)) {
    await noteRefusal(ctx, user, origin, 'disabled');
    throw disabled();
  }
  if (isOutdated(user.password_hash))
    ctx.afterwards('Failed to rehash a password', async () =>
      setPasswordHash(ctx.db, user.id, await hashPassword(password), await isWeakPassword(password, user.email)),
    );
  else if (user.password_weak === null)
    ctx.afterwards('Failed to rate a password', async () =>
      setPasswordWeak(ctx.db, user, await isWeakPassword(password, user.email)),
    );
  if (!user.email_verified_at && confirmationRequired(ctx)) return sendBack(ctx, user);
  if (await hasSecondFactor(ctx.db, user.id)) {
    const { token } = await makeToken(ctx, ctx.db, { purpose: 'two_factor', userId: user.id });
    return { requiresTwoFactor: true, challenge: token };
  }
  return openSession(ctx, user, origin, 'password');
}

async function noteRefusal(
  { db, now }: AuthContext,
  user: UserRow | undefined,
  { network }: Origin,
  why: 'password' | 'disabled',
): Promise<void> {
  const entry = { actorId: null, subjectId: user?.id ?? null, action: 'session.refuse', details: { why }, network };
  await audit(db, { at: now(), ...entry });
}

async function sendBack(ctx: AuthContext, user: UserRow): Promise<ToConfirm> {
  if (!(await mayMail(ctx, 'confirm', user.email))) return toConfirm(user.email, null);
  const posted = await ctx.db.transaction().execute((tx) => postConfirmation(ctx, tx, user, user.password_hash));
  return toConfirm(user.email, posted);
}

export async function issueTicket(ctx: AuthContext, caller: Caller): Promise<{ ticket: string; expiresAt: string }> {
  const { userId, sessionId } = caller;
  const { token, expiresAt } = await makeToken(ctx, ctx.db, { purpose: 'stream', userId, sessionId });
  return { ticket: token, expiresAt: expiresAt.toISOString() };
}

/**
 * Owner of a ticket; null when it is unknown, used or expired, or its session has ended. The ticket is spent last, so
 * that the end of the session is either seen here or sent to the stream.
 */
export async function redeemTicket(ctx: AuthContext, ticket: string): Promise<TicketHolder | null> {
  const now = ctx.now();
  const link = await findLink(ctx.db, hashOf(ticket), 'stream');
  const user = link?.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!user || isDisabled(user)) return null;
  const standing = await standingOf(ctx.db, user.id, now);
  const plan = planOf(user.role, standing);
  const spent = await spendLink(ctx.db, hashOf(ticket), 'stream', now);
  if (!spent) return null;
  const createdAt = spent.sessionId === null ? undefined : await findStart(ctx.db, spent.sessionId);
  const ends = [standing.holdsUntil, createdAt ? sessionEnd({ createdAt, role: user.role }, now) : null];
  const left = ends.flatMap((end) => (end ? [end.getTime() - now.getTime()] : []));
  const endsInMs = left.length > 0 ? Math.min(...left) : null;
  return { userId: user.id, sessionId: spent.sessionId, plan, endsInMs };
}
