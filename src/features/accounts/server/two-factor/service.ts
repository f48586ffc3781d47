import type { SignedIn } from '#features/accounts/contract/auth.ts';
import {
  type AuthContext,
  canSendMail,
  consumeLink,
  deleteLinks,
  expireProofs,
  findLink,
  getUser,
  hashToken,
  hasSecondFactor,
  limitBackupCode,
  limitSecondFactor,
  type Origin,
  openSession,
  requireProof,
  resetBackupCodeAttempts,
  resetSecondFactorAttempts,
  securityPageUrl,
  signInUrls,
  twoFactorChangedMail,
  verifyProof,
  wrongCodesMail,
} from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import { type EnteredCode, findTimeStep, newBackupCodes, newSecret, otpauthUri, read } from './codes.ts';
import * as store from './store.ts';

const hashBackupCode = (ctx: AuthContext, userId: number, code: string): Buffer =>
  ctx.secrets.lastingMac('backup code', `${userId} ${code}`);

/** Replaces the backup codes with ten new ones. */
async function createBackupCodes(ctx: AuthContext, tx: Db, userId: number): Promise<string[]> {
  const codes = newBackupCodes();
  const hashes = codes.map((code) => hashBackupCode(ctx, userId, read(code).code));
  await store.replaceBackupCodes(tx, userId, hashes);
  return codes;
}

/** A few wrong codes are mistakes; more are reported, once each time the count restarts. */
const REPORTED_AT = 3;

type Given = {
  userId: number;
  typed: string;
  origin: Origin;
  /** What was verified before the code. */
  after: 'password' | 'session';
  /** Spent with a correct code, where the sign-in has one. */
  challenge?: string;
};

/**
 * Throws unless the code is correct. Wrong authenticator codes delay the next ones increasingly and block them at 50;
 * backup codes have a separate limit per network, so that a thief's wrong codes never lock the owner out.
 */
async function checkCode(ctx: AuthContext, given: Given): Promise<void> {
  const { userId, origin, challenge, after } = given;
  const at = ctx.now();
  const typed = read(given.typed);
  const wrong = await countTry(ctx, userId, typed, origin);
  const isRight = await ctx.db.transaction().execute(async (tx) => {
    if (!(await useCode(ctx, tx, userId, typed, origin))) return false;
    if (challenge !== undefined && !(await consumeLink(tx, hashToken(challenge), 'two_factor', at)))
      throw new AppError('unauthenticated', 'Please sign in again');
    await store.resetTries(tx, userId);
    return true;
  });
  if (isRight) return resetBackupCodeAttempts(ctx, userId, origin.network);
  const { network } = origin;
  const details = { after };
  await audit(ctx.db, { at, actorId: null, subjectId: userId, action: 'two_factor.refuse', details, network });
  if (wrong === REPORTED_AT || wrong === store.MOST_WRONG) await report(ctx, userId, wrong, origin);
  throw new AppError(after === 'password' ? 'unauthenticated' : 'forbidden', 'Invalid code');
}

/**
 * Counted before the code is checked, so that even a correct guess beyond the limit is refused. Returns the number of
 * this attempt.
 */
async function countTry(ctx: AuthContext, userId: number, { kind }: EnteredCode, { network }: Origin): Promise<number> {
  if (kind === 'backup') return limitBackupCode(ctx, userId, network);
  const at = ctx.now();
  const tried = await store.recordTry(ctx.db, userId, at);
  if (tried.allowed) return tried.wrong;
  if (tried.waitUntil === null)
    throw new AppError(
      'forbidden',
      'Too many wrong codes. Use a backup code or a passkey, or reset your password with “Forgot password?”.',
    );
  const retryAfterSeconds = Math.max(1, Math.ceil((tried.waitUntil.getTime() - at.getTime()) / 1000));
  throw new AppError('rate_limited', 'Too many attempts. Please try again later.', { retryAfterSeconds });
}

async function report(ctx: AuthContext, userId: number, wrong: number, origin: Origin): Promise<void> {
  const { email } = await getUser(ctx.db, userId);
  if (!(await canSendMail(ctx, 'wrong-codes', email))) return;
  const mail = { to: email, wrong, stopped: wrong === store.MOST_WRONG, ...origin, at: ctx.now() };
  await ctx.mail.enqueue(ctx.db, await wrongCodesMail({ ...mail, link: signInUrls(ctx).resetLink }));
}

async function useCode(
  ctx: AuthContext,
  tx: Db,
  userId: number,
  { kind, code }: EnteredCode,
  { network }: Origin,
): Promise<boolean> {
  const at = ctx.now();
  if (kind === 'totp') {
    const stored = await store.lockTwoFactor(tx, userId);
    const step = stored ? findTimeStep(ctx.secrets.open(stored.sealedSecret), code, at) : null;
    return stored !== undefined && step !== null && store.consumeTimeStep(tx, userId, stored.sealedSecret, step);
  }
  if (!(await store.consumeBackupCode(tx, userId, hashBackupCode(ctx, userId, code), at))) return false;
  const details = { left: await store.countBackupCodes(tx, userId) };
  await audit(tx, { at, actorId: userId, subjectId: userId, action: 'two_factor.backup_code', details, network });
  return true;
}

export async function readState(
  ctx: AuthContext,
  { userId }: Caller,
): Promise<{ enabled: boolean; backupCodesLeft: number }> {
  const stored = await store.findTwoFactor(ctx.db, userId);
  return { enabled: stored?.isEnabled ?? false, backupCodesLeft: await store.countBackupCodes(ctx.db, userId) };
}

const alreadyEnabled = () =>
  new AppError('conflict', 'Two-factor sign-in is already on. Turn it off before you set it up again.');
const notEnabled = () => new AppError('conflict', 'Two-factor sign-in is not on');

export async function setUp(ctx: AuthContext, caller: Caller): Promise<{ secret: string; uri: string }> {
  await requireProof(ctx, caller);
  const { email } = await getUser(ctx.db, caller.userId);
  const secret = newSecret();
  if (!(await store.prepareSecret(ctx.db, caller.userId, ctx.secrets.seal(secret)))) throw alreadyEnabled();
  return { secret, uri: otpauthUri(secret, email) };
}

/** The setup required a proof, and only its recipient can know a code. */
export async function enable(
  ctx: AuthContext,
  { userId, sessionId }: Caller,
  code: string,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  const stored = await store.findTwoFactor(ctx.db, userId);
  if (!stored) throw new AppError('conflict', 'Set up two-factor sign-in first');
  if (stored.isEnabled) throw alreadyEnabled();
  await limitSecondFactor(ctx, userId);
  const { sealedSecret } = stored;
  const at = ctx.now();
  const step = findTimeStep(ctx.secrets.open(sealedSecret), code, at);
  if (step === null) throw new AppError('bad_request', 'Invalid code');
  await resetSecondFactorAttempts(ctx, userId);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await store.enableSecret(tx, { userId, sealedSecret, step, at })))
      throw new AppError('conflict', 'Two-factor sign-in was changed in the meantime. Please try again.');
    const backupCodes = await createBackupCodes(ctx, tx, userId);
    // From here on, a password is no proof for other sessions.
    await expireProofs(tx, userId, sessionId);
    await notifyOwner(ctx, tx, userId, 'on', origin);
    return { backupCodes };
  });
}

/** Ends challenges too: they would wait for a code that is no longer valid. */
export async function disable(ctx: AuthContext, caller: Caller, origin: Origin): Promise<void> {
  await requireProof(ctx, caller);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await store.lockEnabled(tx, caller.userId))) throw notEnabled();
    await store.deleteTwoFactor(tx, caller.userId);
    await deleteLinks(tx, caller.userId, 'two_factor');
    await notifyOwner(ctx, tx, caller.userId, 'off', origin);
  });
}

export async function renewBackupCodes(
  ctx: AuthContext,
  caller: Caller,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  await requireProof(ctx, caller);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await store.lockEnabled(tx, caller.userId))) throw notEnabled();
    const backupCodes = await createBackupCodes(ctx, tx, caller.userId);
    await notifyOwner(ctx, tx, caller.userId, 'codes', origin);
    return { backupCodes };
  });
}

const ACTIONS = { on: 'two_factor.enable', off: 'two_factor.disable', codes: 'two_factor.renew' } as const;

async function notifyOwner(
  ctx: AuthContext,
  tx: Db,
  userId: number,
  change: keyof typeof ACTIONS,
  { network }: Origin,
): Promise<void> {
  const at = ctx.now();
  const { email } = await getUser(tx, userId);
  await audit(tx, { at, actorId: userId, subjectId: userId, action: ACTIONS[change], network });
  await ctx.mail.enqueue(tx, await twoFactorChangedMail({ to: email, change, at, link: securityPageUrl(ctx) }));
}

const signInAgain = () => new AppError('unauthenticated', 'Please sign in again');

/** The second step of a sign-in. A wrong code leaves the challenge unchanged, a correct one spends it. */
export async function completeSignIn(
  ctx: AuthContext,
  { challenge, code }: { challenge: string; code: string },
  origin: Origin,
): Promise<SignedIn> {
  const at = ctx.now();
  const link = await findLink(ctx.db, hashToken(challenge), 'two_factor');
  if (!link?.userId || link.expiresAt <= at) throw signInAgain();
  const { userId } = link;
  await checkCode(ctx, { userId, typed: code, origin, after: 'password', challenge });
  return openSession(ctx, await getUser(ctx.db, userId), origin, 'password and code');
}

/** With a second factor, identity is confirmed by a code. */
export async function proveByCode(
  ctx: AuthContext,
  caller: Caller,
  code: string,
  origin: Origin,
): Promise<{ until: string }> {
  if (!(await hasSecondFactor(ctx.db, caller.userId))) throw notEnabled();
  await checkCode(ctx, { userId: caller.userId, typed: code, origin, after: 'session' });
  const proof = await verifyProof(ctx, caller);
  if (!proof) throw new AppError('unauthenticated', 'Authentication required');
  return proof;
}
