import type { SignedIn } from '#features/accounts/contract/auth.ts';
import { readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { TicketHolder } from '#kernel/live/route.ts';
import type { Caller } from '#kernel/route.ts';
import { sessionEnd } from '../callers.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { canSendMail, isOverWeakLimit, limitLogin, resetLoginAttempts } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isOutdated, isWeakPassword, verifyPassword } from '../passwords.ts';
import { hasSecondFactor } from '../store/access.ts';
import { consumeLink, findLink } from '../store/links.ts';
import { findSignInTime } from '../store/sessions.ts';
import { findUser, findUserByEmail, setPasswordHash, setPasswordWeak, type UserRow } from '../store/users.ts';
import { hashToken } from '../tokens.ts';
import { createToken } from './links.ts';
import { type ConfirmationPending, type Credentials, confirmationPending, sendConfirmation } from './registration.ts';
import { accountDisabled, isDisabled, openSession } from './sessions.ts';

type SecondFactorPending = { requiresTwoFactor: true; challenge: string };

export async function login(
  ctx: AuthContext,
  { email, password }: Credentials,
  origin: Origin,
): Promise<SignedIn | ConfirmationPending | SecondFactorPending> {
  await limitLogin(ctx, email, origin.network);
  const user = await findUserByEmail(ctx.db, email);
  const isRight = await verifyPassword(user?.password_hash ?? null, password);
  // Reported as a wrong password: a different response would reveal which accounts are easy to guess.
  const isOver = user?.password_weak === true && (await isOverWeakLimit(ctx, email, origin.network));
  if (!user || !isRight || isOver) {
    await auditRefusal(ctx, user, origin, 'password');
    throw new AppError('unauthenticated', 'Invalid email or password');
  }
  await resetLoginAttempts(ctx, email, origin.network);
  if (isDisabled(user)) {
    await auditRefusal(ctx, user, origin, 'disabled');
    throw accountDisabled();
  }
  if (isOutdated(user.password_hash))
    ctx.afterwards('Failed to rehash a password', async () =>
      setPasswordHash(ctx.db, user.id, await hashPassword(password), await isWeakPassword(password, user.email)),
    );
  else if (user.password_weak === null)
    ctx.afterwards('Failed to rate a password', async () =>
      setPasswordWeak(ctx.db, user, await isWeakPassword(password, user.email)),
    );
  if (!user.email_verified_at && confirmationRequired(ctx)) return toSecondFactor(ctx, user);
  if (await hasSecondFactor(ctx.db, user.id)) {
    const { token } = await createToken(ctx, ctx.db, { purpose: 'two_factor', userId: user.id });
    return { requiresTwoFactor: true, challenge: token };
  }
  return openSession(ctx, user, origin, 'password');
}

async function auditRefusal(
  { db, now }: AuthContext,
  user: UserRow | undefined,
  { network }: Origin,
  why: 'password' | 'disabled',
): Promise<void> {
  const entry = { actorId: null, subjectId: user?.id ?? null, action: 'session.refuse', details: { why }, network };
  await audit(db, { at: now(), ...entry });
}

async function toSecondFactor(ctx: AuthContext, user: UserRow): Promise<ConfirmationPending> {
  if (!(await canSendMail(ctx, 'confirm', user.email))) return confirmationPending(user.email, null);
  const posted = await ctx.db.transaction().execute((tx) => sendConfirmation(ctx, tx, user, user.password_hash));
  return confirmationPending(user.email, posted);
}

export async function issueTicket(ctx: AuthContext, caller: Caller): Promise<{ ticket: string; expiresAt: string }> {
  const { userId, sessionId } = caller;
  const { token, expiresAt } = await createToken(ctx, ctx.db, { purpose: 'stream', userId, sessionId });
  return { ticket: token, expiresAt: expiresAt.toISOString() };
}

/**
 * Owner of a ticket; null when it is unknown, used or expired, or its session has ended. The ticket is spent last, so
 * that the end of the session is either seen here or sent to the stream.
 */
export async function redeemTicket(ctx: AuthContext, ticket: string): Promise<TicketHolder | null> {
  const now = ctx.now();
  const link = await findLink(ctx.db, hashToken(ticket), 'stream');
  const user = link?.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!user || isDisabled(user)) return null;
  const standing = await readPlanStatus(ctx.db, user.id, now);
  const plan = resolvePlan(user.role, standing);
  const spent = await consumeLink(ctx.db, hashToken(ticket), 'stream', now);
  if (!spent) return null;
  const createdAt = spent.sessionId === null ? undefined : await findSignInTime(ctx.db, spent.sessionId);
  const ends = [standing.holdsUntil, createdAt ? sessionEnd({ createdAt, role: user.role }, now) : null];
  const left = ends.flatMap((end) => (end ? [end.getTime() - now.getTime()] : []));
  const endsInMs = left.length > 0 ? Math.min(...left) : null;
  return { userId: user.id, sessionId: spent.sessionId, plan, endsInMs };
}
