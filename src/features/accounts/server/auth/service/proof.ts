import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { AuthContext } from '../context.ts';
import { limitProof } from '../limits.ts';
import { passwordChangedMail } from '../mails/security.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isWeakPassword, verifyPassword } from '../passwords.ts';
import { deleteCodeAttempts, hasSecondFactor } from '../store/access.ts';
import { deleteLinks } from '../store/links.ts';
import { markProved, readProvedAt } from '../store/sessions.ts';
import { getUser, setPasswordHash } from '../store/users.ts';
import { cancelPendingEmailChange, signInUrls } from './links.ts';
import { assertStrongPassword } from './reset.ts';
import { endSessions } from './sessions.ts';

const PROOF_MS = 15 * 60_000;

/** Throws unless identity was confirmed within the last 15 minutes of this session. */
export async function requireProof(ctx: Pick<AuthContext, 'db' | 'now'>, caller: Caller): Promise<void> {
  const proved = caller.sessionId === null ? undefined : await readProvedAt(ctx.db, caller.sessionId);
  if (!proved || ctx.now().getTime() - proved.getTime() >= PROOF_MS)
    throw new AppError('reauthentication_required', 'Please confirm it’s you to continue.');
}

/** Throws unless the password is the account's. */
export async function requirePassword(ctx: AuthContext, caller: Caller, password: string): Promise<void> {
  await limitProof(ctx, caller.userId);
  const user = await getUser(ctx.db, caller.userId);
  if (!(await verifyPassword(user.password_hash, password))) throw new AppError('forbidden', 'Incorrect password');
}

export async function reauthenticate(ctx: AuthContext, caller: Caller, password: string): Promise<{ until: string }> {
  if (await hasSecondFactor(ctx.db, caller.userId))
    throw new AppError('forbidden', 'Enter a code from your authenticator app, or a backup code.');
  await requirePassword(ctx, caller, password);
  const proof = await verifyProof(ctx, caller);
  if (!proof) throw new AppError('unauthenticated', 'Authentication required');
  return proof;
}

/** Records a fresh proof of identity by any method. */
/** Null when the session has just ended, which this process may not know yet. */
export async function verifyProof(ctx: AuthContext, caller: Caller): Promise<{ until: string } | null> {
  const at = ctx.now();
  if (caller.sessionId !== null && !(await markProved(ctx.db, caller.sessionId, at))) return null;
  return { until: new Date(at.getTime() + PROOF_MS).toISOString() };
}

export async function changePassword(
  ctx: AuthContext,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  origin: Origin,
): Promise<void> {
  await assertStrongPassword(ctx, await getUser(ctx.db, caller.userId), newPassword);
  await requirePassword(ctx, caller, currentPassword);
  const passwordHash = await hashPassword(newPassword);
  await ctx.db.transaction().execute(async (tx) => {
    const at = ctx.now();
    const user = await getUser(tx, caller.userId);
    await setPasswordHash(tx, user.id, passwordHash, await isWeakPassword(newPassword, user.email));
    await deleteLinks(tx, user.id, 'reset');
    await deleteLinks(tx, user.id, 'two_factor');
    await cancelPendingEmailChange(tx, user.id);
    await deleteCodeAttempts(tx, user.id);
    const which = caller.sessionId === null ? 'all' : { but: caller.sessionId };
    await endSessions(tx, { userId: user.id, which, at, actorId: user.id });
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'password.change', network: origin.network });
    await ctx.mail.enqueue(tx, await passwordChangedMail({ to: user.email, at, link: signInUrls(ctx).resetLink }));
  });
}
