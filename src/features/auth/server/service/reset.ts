import { PASSWORD_RULES, UNUSABLE_RESET_LINK } from '#features/auth/contract.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { isPlainAddress } from '#server/platform/mail/message.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { limitNetwork, mayMail } from '../limits.ts';
import { noAccountMail } from '../mails/no-account.ts';
import { passwordChangedMail } from '../mails/password-changed.ts';
import { resetMail } from '../mails/reset.ts';
import type { Origin } from '../origin.ts';
import { hashPassword } from '../passwords.ts';
import { dropLinks, findLink, spendLink } from '../store/links.ts';
import { findUserByEmail, getUser, markVerified, setPasswordHash } from '../store/users.ts';
import { hashOf } from '../tokens.ts';
import { linkTo, makeToken, signInPages, signUpPage } from './links.ts';
import { dropEmailChange } from './pending-email.ts';
import { postConfirmation, refuseCommon } from './register.ts';
import { endSessions, isDisabled } from './sessions.ts';

type Told = { message: string; demoMail?: string };
type Posted = { demoMail: string | null } | null;

/**
 * Says the same about every address. In demo mode the mail is shown, so its writing is awaited, and an unknown address gets one too;
 * otherwise it is written after the answer, so that the time tells nothing either.
 */
async function sayAlike(ctx: AuthContext, message: string, what: string, work: () => Promise<Posted>): Promise<Told> {
  if (ctx.mode !== 'demo') {
    ctx.afterwards(what, work);
    return { message };
  }
  const posted = await work();
  return { message, ...(posted?.demoMail ? { demoMail: posted.demoMail } : {}) };
}

const postToNobody = async (ctx: AuthContext, email: string): Promise<Posted> =>
  ctx.mode === 'demo' && isPlainAddress(email)
    ? ctx.mail.post(ctx.db, await noAccountMail({ to: email, link: signUpPage(ctx) }))
    : null;

export async function forgotPassword(ctx: AuthContext, email: string, origin: Origin): Promise<Told> {
  await limitNetwork(ctx, 'forgot', origin.network);
  const message = 'If an account with that email exists, a password reset link has been sent.';
  return sayAlike(ctx, message, 'Posting a reset link', async () => {
    const user = await findUserByEmail(ctx.db, email);
    if (!user) return postToNobody(ctx, email);
    if (!(await mayMail(ctx, 'reset', email))) return null;
    return ctx.db.transaction().execute(async (tx) => {
      await dropLinks(tx, user.id, 'reset');
      const { token } = await makeToken(ctx, tx, { purpose: 'reset', userId: user.id });
      await audit(tx, {
        at: ctx.now(),
        actorId: null,
        subjectId: user.id,
        action: 'password.forget',
        network: origin.network,
      });
      return ctx.mail.post(tx, await resetMail({ to: user.email, link: linkTo(ctx, '/reset-password', token) }));
    });
  });
}

export async function resendConfirmation(ctx: AuthContext, email: string, origin: Origin): Promise<Told> {
  await limitNetwork(ctx, 'resend', origin.network);
  const message = 'Confirmation email resent! Please check your inbox.';
  return sayAlike(ctx, message, 'Posting a confirmation link', async () => {
    const user = await findUserByEmail(ctx.db, email);
    if (!user || user.email_verified_at || isDisabled(user)) return postToNobody(ctx, email);
    if (!(await mayMail(ctx, 'confirm', email))) return null;
    return ctx.db.transaction().execute((tx) => postConfirmation(ctx, tx, user, null));
  });
}

export function refuseWeak(password: string): void {
  if (!PASSWORD_RULES.every(({ holds }) => holds(password)))
    throw new AppError('bad_request', 'Password does not meet requirements');
}

const unusable = () => new AppError('bad_request', UNUSABLE_RESET_LINK);

/** Sets a new password by a link from the mailbox, which also proves the address, and signs out everywhere. */
export async function resetPassword(
  ctx: AuthContext,
  { token, newPassword }: { token: string; newPassword: string },
  origin: Origin,
): Promise<void> {
  await limitNetwork(ctx, 'reset', origin.network);
  refuseWeak(newPassword);
  await refuseCommon(newPassword);
  const link = await findLink(ctx.db, hashOf(token), 'reset');
  if (!link || link.expiresAt <= ctx.now()) throw unusable();
  const passwordHash = await hashPassword(newPassword);
  await ctx.db.transaction().execute(async (tx) => {
    const at = ctx.now();
    const spent = await spendLink(tx, hashOf(token), 'reset', at);
    if (!spent?.userId) throw unusable();
    const user = await getUser(tx, spent.userId);
    await setPasswordHash(tx, user.id, passwordHash);
    if (confirmationRequired(ctx)) await markVerified(tx, user.id, at);
    await dropLinks(tx, user.id, 'confirm');
    await dropLinks(tx, user.id, 'two_factor');
    await dropEmailChange(tx, user.id);
    await endSessions(tx, { userId: user.id, which: 'all', at, actorId: user.id });
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'password.reset', network: origin.network });
    await ctx.mail.post(tx, await passwordChangedMail({ to: user.email, at, link: signInPages(ctx).resetLink }));
  });
}
