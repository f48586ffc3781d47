import { SIGN_UPS_CLOSED, type SignedIn } from '#features/accounts/contract/auth.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';

import { type AuthContext, confirmationRequired } from '../context.ts';
import { canSendMail, limitNetwork } from '../limits.ts';
import { alreadyRegisteredMail, confirmMail } from '../mails/links.ts';
import type { Origin } from '../origin.ts';
import { hashPassword, isCommonPassword, isWeakPassword } from '../passwords.ts';
import { hasSecondFactor } from '../store/access.ts';
import { deleteLinks, deleteOtherLinks, findLink, markUsed } from '../store/links.ts';
import {
  findUser,
  findUserByEmail,
  getUser,
  insertUser,
  markVerified,
  type NewUser,
  normalizeEmail,
  setEmail,
  setPasswordHash,
  type UserRow,
} from '../store/users.ts';
import { hashToken } from '../tokens.ts';
import { buildLink, CONFIRM_PAGE, cancelPendingEmailChange, createToken, signInUrls } from './links.ts';
import { accountDisabled, isDisabled, openSession } from './sessions.ts';

export type ConfirmationPending = { requiresConfirmation: true; email: string; demoMail?: string };
export type Credentials = { email: string; password: string };

export async function rejectCommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw new AppError('bad_request', 'This password is too common. Please choose another one.');
}

/** The response is the same for new and existing addresses; the difference is emailed to the owner. */
export async function register(
  ctx: AuthContext,
  { email, password }: Credentials,
  origin: Origin,
): Promise<SignedIn | ConfirmationPending> {
  if (ctx.config.SIGN_UPS === 'closed') throw new AppError('forbidden', SIGN_UPS_CLOSED);
  await limitNetwork(ctx, 'register', origin.network);
  await rejectCommonPassword(password);
  const passwordHash = await hashPassword(password);
  const passwordWeak = await isWeakPassword(password, email);
  const account = { email, passwordHash, passwordWeak, verifiedAt: null, at: ctx.now() };
  if (!confirmationRequired(ctx)) {
    const user = await ctx.db.transaction().execute((tx) => createUser(tx, account, origin));
    // Without email, an existing address cannot be concealed.
    if (!user) throw new AppError('conflict', 'An account with this email already exists');
    return openSession(ctx, user, origin, 'sign-up');
  }
  const sent = await canSendMail(ctx, 'register', email);
  const posted = await ctx.db.transaction().execute(async (tx) => {
    const created = await createUser(tx, account, origin);
    if (created) return sendConfirmation(ctx, tx, created, null);
    const owner = await findUserByEmail(tx, email);
    if (!owner || !sent) return null;
    // Confirming a link sets the password entered with it, so a stranger's earlier sign-up leaves no access behind.
    if (!owner.email_verified_at) return sendConfirmation(ctx, tx, owner, passwordHash);
    return ctx.mail.enqueue(tx, await alreadyRegisteredMail({ to: owner.email, ...signInUrls(ctx) }));
  });
  return confirmationPending(email, posted);
}

async function createUser(tx: Db, account: NewUser, { network }: Origin): Promise<UserRow | undefined> {
  const user = await insertUser(tx, account);
  if (user)
    await audit(tx, { at: account.at, actorId: user.id, subjectId: user.id, action: 'account.create', network });
  return user;
}

/** Queues the email with the confirmation link. `passwordHash` replaces the account's once the link is used. */
export async function sendConfirmation(
  ctx: AuthContext,
  tx: Db,
  user: Pick<UserRow, 'id' | 'email'>,
  passwordHash: string | null,
) {
  const { token } = await createToken(ctx, tx, { purpose: 'confirm', userId: user.id, data: passwordHash });
  const link = buildLink(ctx, CONFIRM_PAGE, token);
  return ctx.mail.enqueue(tx, await confirmMail({ to: user.email, link }));
}

export function confirmationPending(email: string, posted: { demoMail: string | null } | null): ConfirmationPending {
  return {
    requiresConfirmation: true,
    email: normalizeEmail(email),
    ...(posted?.demoMail ? { demoMail: posted.demoMail } : {}),
  };
}

/** Users open a link twice, and scanners that run scripts open it before them. */
const REPEAT_WINDOW_MS = 600_000;

type ConfirmationResult = { email: string; token?: string };

const invalid = () => new AppError('bad_request', 'Invalid confirmation token');
const expired = () => new AppError('bad_request', 'Confirmation token has expired');

/** Confirms the address that a link was sent to. */
export async function confirm(ctx: AuthContext, token: string, origin: Origin): Promise<ConfirmationResult> {
  const hash = hashToken(token);
  const signUp = await findLink(ctx.db, hash, 'confirm');
  if (signUp) return confirmSignUp(ctx, hash, signUp, origin);
  const change = await findLink(ctx.db, hash, 'change_email');
  if (change) return confirmNewEmail(ctx, hash, change, origin);
  throw invalid();
}

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** True for a link that was used moments ago. @throws AppError for one that is no longer valid */
function isRepeatedUse({ usedAt, expiresAt }: Link, at: Date): boolean {
  if (usedAt && at.getTime() - usedAt.getTime() < REPEAT_WINDOW_MS) return true;
  if (usedAt) throw invalid();
  if (expiresAt <= at) throw expired();
  return false;
}

/** Of several concurrent requests, one gets the sign-in token. */
async function confirmSignUp(ctx: AuthContext, hash: Buffer, link: Link, origin: Origin): Promise<ConfirmationResult> {
  const at = ctx.now();
  const user = link.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!user) throw invalid();
  const { email } = user;
  if (isDisabled(user)) throw accountDisabled();
  if (isRepeatedUse(link, at)) return { email };
  const isFirst = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return false;
    if (link.data) await setPasswordHash(tx, user.id, link.data, null);
    await markVerified(tx, user.id, at);
    await deleteOtherLinks(tx, user.id, 'confirm', hash);
    await audit(tx, {
      at,
      actorId: user.id,
      subjectId: user.id,
      action: 'email.confirm',
      network: origin.network,
    });
    return true;
  });
  if (!isFirst || (await hasSecondFactor(ctx.db, user.id))) return { email };
  const { token } = await openSession(ctx, await getUser(ctx.db, user.id), origin, 'mail link');
  return { email, token };
}

/** Switches the account to its new address. */
async function confirmNewEmail(
  ctx: AuthContext,
  hash: Buffer,
  link: Link,
  origin: Origin,
): Promise<ConfirmationResult> {
  const at = ctx.now();
  const { userId, data: email } = link;
  if (!userId || !email) throw invalid();
  if (isRepeatedUse(link, at)) return { email };
  const changed = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markUsed(tx, hash, at))) return true;
    if (!(await setEmail(tx, userId, email, at))) {
      await cancelPendingEmailChange(tx, userId);
      return false;
    }
    // Emails sent to the old address no longer give access to the account.
    await deleteLinks(tx, userId, 'reset');
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'email.change', network: origin.network });
    return true;
  });
  if (!changed) throw invalid();
  return { email };
}
