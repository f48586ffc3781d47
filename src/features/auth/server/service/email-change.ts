import { audit } from '#server/platform/audit.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';

import { type AuthContext, confirmationRequired } from '../context.ts';
import { mayMail } from '../limits.ts';
import { alreadyRegisteredMail } from '../mails/already-registered.ts';
import { emailChangeConfirmMail } from '../mails/email-change-confirm.ts';
import { emailChangeNoticeMail } from '../mails/email-change-notice.ts';
import { dropLinks } from '../store/links.ts';
import { findUserByEmail, getUser, normal, setEmail, setPendingEmail } from '../store/users.ts';
import { linkTo, makeToken, securityPage, signInPages } from './links.ts';
import { requirePassword, requireProof } from './proof.ts';

/**
 * Asks for a new address: it waits until a link sent to it was opened, and the old one is told. Needs the password or a fresh proof.
 * Where no mail can be confirmed it changes at once. A taken address looks the same to whoever asks.
 * `together` is stored in the same transaction.
 */
export async function requestEmailChange(
  ctx: AuthContext,
  caller: Caller,
  wanted: string,
  currentPassword: string | undefined,
  together: (tx: Db) => Promise<void>,
): Promise<void> {
  if (currentPassword === undefined) await requireProof(ctx, caller);
  else await requirePassword(ctx, caller, currentPassword);
  const email = normal(wanted);
  if (!confirmationRequired(ctx)) return changeAtOnce(ctx, caller, email, together);
  if (!(await mayMail(ctx, 'change', `${caller.userId}`)))
    throw new AppError('rate_limited', 'Too many attempts. Please try again later.');
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const user = await getUser(tx, caller.userId);
    const owner = await findUserByEmail(tx, email);
    await together(tx);
    await setPendingEmail(tx, user.id, email);
    await dropLinks(tx, user.id, 'change_email');
    await audit(tx, { at, actorId: user.id, subjectId: user.id, action: 'email.request' });
    await ctx.mail.post(
      tx,
      await emailChangeNoticeMail({ to: user.email, newEmail: email, at, link: securityPage(ctx) }),
    );
    if (owner) {
      await ctx.mail.post(tx, await alreadyRegisteredMail({ to: email, ...signInPages(ctx) }));
      return;
    }
    const { token } = await makeToken(ctx, tx, { purpose: 'change_email', userId: user.id, data: email });
    const link = linkTo(ctx, '/api/auth/confirm-address', token);
    await ctx.mail.post(tx, await emailChangeConfirmMail({ to: email, link }));
  });
}

async function changeAtOnce(
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
    await ctx.mail.post(tx, await emailChangeNoticeMail({ to: old, newEmail: email, at, link: securityPage(ctx) }));
  });
}
