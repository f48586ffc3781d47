import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import { type AuthContext, confirmationRequired } from '../context.ts';
import { limitMail } from '../limits.ts';
import { alreadyRegisteredMail, emailChangeConfirmMail } from '../mails/links.ts';
import { emailChangeNoticeMail } from '../mails/security.ts';
import { deleteLinks } from '../store/links.ts';
import { findUserByEmail, getUser, normalizeEmail, setEmail, setPendingEmail } from '../store/users.ts';
import {
  buildLink,
  CONFIRM_PAGE,
  cancelPendingEmailChange,
  createToken,
  securityPageUrl,
  signInUrls,
} from './links.ts';
import { requirePassword, requireProof } from './proof.ts';

type QueuedMail = { demoMail: string | null };

/**
 * Requests a change of address: it is pending until a link sent to it is opened, and the old address is notified. Needs
 * the password or a fresh sign-in. Without email confirmation it takes effect at once. An address already in use gets
 * the same response. `together` is stored in the same transaction. Returns where to read the email in demo mode.
 */
export async function requestEmailChange(
  ctx: AuthContext,
  caller: Caller,
  wanted: string,
  currentPassword: string | undefined,
  together: (tx: Db) => Promise<void>,
): Promise<QueuedMail> {
  if (currentPassword === undefined) await requireProof(ctx, caller);
  else await requirePassword(ctx, caller, currentPassword);
  const email = normalizeEmail(wanted);
  if (!confirmationRequired(ctx)) {
    await changeImmediately(ctx, caller, email, together);
    return { demoMail: null };
  }
  await limitMail(ctx, 'change', `${caller.userId}`);
  const at = ctx.now();
  return ctx.db.transaction().execute(async (tx) => {
    const user = await getUser(tx, caller.userId);
    const owner = await findUserByEmail(tx, email);
    await deleteLinks(tx, user.id, 'change_email');
    await together(tx);
    await setPendingEmail(tx, user.id, email);
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'email.request' });
    await ctx.mail.enqueue(
      tx,
      await emailChangeNoticeMail({ to: user.email, newEmail: email, at, link: securityPageUrl(ctx) }),
    );
    if (owner) return ctx.mail.enqueue(tx, await alreadyRegisteredMail({ to: email, ...signInUrls(ctx) }));
    const { token } = await createToken(ctx, tx, { purpose: 'change_email', userId: user.id, data: email });
    const link = buildLink(ctx, CONFIRM_PAGE, token);
    return ctx.mail.enqueue(tx, await emailChangeConfirmMail({ to: email, link }));
  });
}

export async function cancelEmailChange(ctx: AuthContext, caller: Caller): Promise<void> {
  const { userId } = caller;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await cancelPendingEmailChange(tx, userId))) return;
    await audit(tx, { at: ctx.now(), actorId: userId, subjectId: userId, action: 'email.cancel' });
  });
}

async function changeImmediately(
  ctx: AuthContext,
  caller: Caller,
  email: string,
  together: (tx: Db) => Promise<void>,
): Promise<void> {
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    await together(tx);
    const { email: old } = await getUser(tx, caller.userId);
    if (!(await setEmail(tx, caller.userId, email, at)))
      throw new AppError('conflict', 'An account with this email already exists');
    await audit(tx, { at, actorId: caller.userId, subjectId: caller.userId, action: 'email.change' });
    await ctx.mail.enqueue(
      tx,
      await emailChangeNoticeMail({ to: old, newEmail: email, at, link: securityPageUrl(ctx) }),
    );
  });
}
