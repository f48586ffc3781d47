import type { SignedIn } from '#features/accounts/contract/auth.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { forgiveLogin, isOverWeakLimit, limitLogin, mayMail } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isOutdated, isWeakPassword, verifyPassword } from '../passwords.ts';
import { hasSecondFactor } from '../store/second-factor.ts';
import { findUserByEmail, setPasswordHash, setPasswordWeak, type UserRow } from '../store/users.ts';
import { makeToken } from './links.ts';
import { type Credentials, postConfirmation, type ToConfirm, toConfirm } from './register.ts';
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
  // Answered as a wrong password: another answer would tell which accounts are easy to guess.
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
