import { SIGN_UPS_CLOSED, type SignedIn } from '#features/accounts/contract/auth.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type AuthContext, confirmationRequired } from '../context.ts';
import { limitNetwork, mayMail } from '../limits.ts';
import { alreadyRegisteredMail } from '../mails/already-registered.ts';
import { confirmMail } from '../mails/confirm.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isCommonPassword, isWeakPassword } from '../passwords.ts';
import { findUserByEmail, insertUser, type NewUser, normal, type UserRow } from '../store/users.ts';
import { CONFIRM_PAGE, linkTo, makeToken, signInPages } from './links.ts';
import { openSession } from './sessions.ts';

export type ToConfirm = { requiresConfirmation: true; email: string; demoMail?: string };
export type Credentials = { email: string; password: string };

export async function refuseCommon(password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw new AppError('bad_request', 'This password is too common. Please choose another one.');
}

/** The answer is the same for a new address and a taken one; the difference goes to the mailbox of its owner. */
export async function register(
  ctx: AuthContext,
  { email, password }: Credentials,
  origin: Origin,
): Promise<SignedIn | ToConfirm> {
  if (ctx.config.SIGN_UPS === 'closed') throw new AppError('forbidden', SIGN_UPS_CLOSED);
  await limitNetwork(ctx, 'register', origin.network);
  await refuseCommon(password);
  const passwordHash = await hashPassword(password);
  const passwordWeak = await isWeakPassword(password, email);
  const account = { email, passwordHash, passwordWeak, verifiedAt: null, at: ctx.now() };
  if (!confirmationRequired(ctx)) {
    const user = await ctx.db.transaction().execute((tx) => create(tx, account, origin));
    // Without a mailbox to answer to, a taken address cannot be kept quiet.
    if (!user) throw new AppError('conflict', 'An account with this email already exists');
    return openSession(ctx, user, origin, 'sign-up');
  }
  const sent = await mayMail(ctx, 'register', email);
  const posted = await ctx.db.transaction().execute(async (tx) => {
    const created = await create(tx, account, origin);
    if (created) return postConfirmation(ctx, tx, created, null);
    const owner = await findUserByEmail(tx, email);
    if (!owner || !sent) return null;
    // Whoever confirms a link gets the password that was typed with it: a stranger's earlier sign-up leaves no key behind.
    if (!owner.email_verified_at) return postConfirmation(ctx, tx, owner, passwordHash);
    return ctx.mail.post(tx, await alreadyRegisteredMail({ to: owner.email, ...signInPages(ctx) }));
  });
  return toConfirm(email, posted);
}

async function create(tx: Db, account: NewUser, { network }: Origin): Promise<UserRow | undefined> {
  const user = await insertUser(tx, account);
  if (user)
    await audit(tx, { at: account.at, actorId: user.id, subjectId: user.id, action: 'account.create', network });
  return user;
}

/** Posts the link that confirms an address. `passwordHash` replaces the account's own once the link is used. */
export async function postConfirmation(
  ctx: AuthContext,
  tx: Db,
  user: Pick<UserRow, 'id' | 'email'>,
  passwordHash: string | null,
) {
  const { token } = await makeToken(ctx, tx, { purpose: 'confirm', userId: user.id, data: passwordHash });
  const link = linkTo(ctx, CONFIRM_PAGE, token);
  return ctx.mail.post(tx, await confirmMail({ to: user.email, link }));
}

export function toConfirm(email: string, posted: { demoMail: string | null } | null): ToConfirm {
  return {
    requiresConfirmation: true,
    email: normal(email),
    ...(posted?.demoMail ? { demoMail: posted.demoMail } : {}),
  };
}
