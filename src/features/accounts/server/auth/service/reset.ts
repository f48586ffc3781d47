import { PASSWORD_RULES, type RemainingAccess, UNUSABLE_RESET_LINK } from '#features/accounts/contract/auth.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import { isPlainAddress } from '#kernel/mail/smtp.ts';
import { ADMIN_GUESSES } from '#shared/guesses.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { canSendMail, limitNetwork } from '../limits.ts';
import { noAccountMail, resetMail } from '../mails/links.ts';
import { passwordChangedMail } from '../mails/security.ts';
import type { Origin } from '../origin.ts';
import { estimateGuesses, hashPassword, isWeakPassword } from '../passwords.ts';
import { deleteChatCodes, deleteCodeAttempts, readRemainingAccess } from '../store/access.ts';
import { consumeLink, deleteLinks, findLink } from '../store/links.ts';
import { findUser, findUserByEmail, getUser, markVerified, setPasswordHash, type UserRow } from '../store/users.ts';
import { hashToken } from '../tokens.ts';
import { buildLink, cancelPendingEmailChange, createToken, signInUrls, signUpPageUrl } from './links.ts';
import { rejectCommonPassword, sendConfirmation } from './registration.ts';
import { endSessions, isDisabled } from './sessions.ts';

type ResetReply = { message: string; demoMail?: string };
type QueuedMail = { demoMail: string | null } | null;

/**
 * Responds identically for every address. In demo mode the email is shown, so its creation is awaited, and an unknown
 * address gets one too; otherwise it is created after the response, so that timing reveals nothing.
 */
async function respondUniformly(
  ctx: AuthContext,
  message: string,
  what: string,
  work: () => Promise<QueuedMail>,
): Promise<ResetReply> {
  if (ctx.mode !== 'demo') {
    ctx.afterwards(what, work);
    return { message };
  }
  const posted = await work();
  return { message, ...(posted?.demoMail ? { demoMail: posted.demoMail } : {}) };
}

const sendToUnknownAddress = async (ctx: AuthContext, email: string): Promise<QueuedMail> =>
  ctx.mode === 'demo' && isPlainAddress(email)
    ? ctx.mail.enqueue(ctx.db, await noAccountMail({ to: email, link: signUpPageUrl(ctx) }))
    : null;

export async function forgotPassword(ctx: AuthContext, email: string, origin: Origin): Promise<ResetReply> {
  await limitNetwork(ctx, 'forgot', origin.network);
  const message = 'If an account with that email exists, a password reset link has been sent.';
  return respondUniformly(ctx, message, 'Failed to send a reset link', async () => {
    const user = await findUserByEmail(ctx.db, email);
    if (!user) return sendToUnknownAddress(ctx, email);
    if (!(await canSendMail(ctx, 'reset', email))) return null;
    return ctx.db.transaction().execute(async (tx) => {
      await deleteLinks(tx, user.id, 'reset');
      const { token } = await createToken(ctx, tx, { purpose: 'reset', userId: user.id });
      await audit(tx, {
        at: ctx.now(),
        actorId: null,
        subjectId: user.id,
        action: 'password.forget',
        network: origin.network,
      });
      return ctx.mail.enqueue(tx, await resetMail({ to: user.email, link: buildLink(ctx, '/reset-password', token) }));
    });
  });
}

export async function resendConfirmation(ctx: AuthContext, email: string, origin: Origin): Promise<ResetReply> {
  await limitNetwork(ctx, 'resend', origin.network);
  const message = 'Confirmation email resent! Please check your inbox.';
  return respondUniformly(ctx, message, 'Failed to send a confirmation link', async () => {
    const user = await findUserByEmail(ctx.db, email);
    if (!user || user.email_verified_at || isDisabled(user)) return sendToUnknownAddress(ctx, email);
    if (!(await canSendMail(ctx, 'confirm', email))) return null;
    return ctx.db.transaction().execute((tx) => sendConfirmation(ctx, tx, user, null));
  });
}

/** The five rules and the list of common passwords; live administrators need a stronger one. */
export async function assertStrongPassword(
  { mode }: AuthContext,
  { role, email }: Pick<UserRow, 'role' | 'email'>,
  password: string,
): Promise<void> {
  if (!PASSWORD_RULES.every(({ holds }) => holds(password)))
    throw new AppError('bad_request', 'Password does not meet requirements');
  await rejectCommonPassword(password);
  if (role === 'admin' && mode !== 'demo' && (await estimateGuesses(password, email)) < ADMIN_GUESSES)
    throw new AppError('bad_request', 'This password is too easy to guess for an administrator. Use several words.');
}

const unusableLink = () => new AppError('bad_request', UNUSABLE_RESET_LINK);

/** Sets a new password through an email link, which also confirms the address, and signs out everywhere. */
export async function resetPassword(
  ctx: AuthContext,
  { token, newPassword }: { token: string; newPassword: string },
  origin: Origin,
): Promise<{ remaining: RemainingAccess[]; endToken: string | null }> {
  await limitNetwork(ctx, 'reset', origin.network);
  const link = await findLink(ctx.db, hashToken(token), 'reset');
  const owner = link?.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!link || !owner || link.expiresAt <= ctx.now()) throw unusableLink();
  await assertStrongPassword(ctx, owner, newPassword);
  const passwordHash = await hashPassword(newPassword);
  return ctx.db.transaction().execute(async (tx) => {
    const at = ctx.now();
    const spent = await consumeLink(tx, hashToken(token), 'reset', at);
    if (!spent?.userId) throw unusableLink();
    const user = await getUser(tx, spent.userId);
    await setPasswordHash(tx, user.id, passwordHash, await isWeakPassword(newPassword, user.email));
    if (confirmationRequired(ctx)) await markVerified(tx, user.id, at);
    await deleteLinks(tx, user.id, 'confirm');
    await deleteLinks(tx, user.id, 'two_factor');
    await cancelPendingEmailChange(tx, user.id);
    await deleteChatCodes(tx, user.id);
    await deleteCodeAttempts(tx, user.id);
    await endSessions(tx, { userId: user.id, which: 'all', at, actorId: user.id });
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'password.reset', network: origin.network });
    const remaining = await readRemainingAccess(tx, user.id);
    const endToken =
      remaining.length > 0 ? (await createToken(ctx, tx, { purpose: 'end_access', userId: user.id })).token : null;
    const endLink = endToken && buildLink(ctx, '/auth/end-access', endToken);
    const { resetLink: link } = signInUrls(ctx);
    await ctx.mail.enqueue(tx, await passwordChangedMail({ to: user.email, at, link, remaining, endLink }));
    return { remaining, endToken };
  });
}
