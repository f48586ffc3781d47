import type { SignedIn } from '#features/auth/contract.ts';
import {
  type AuthContext,
  dropLinks,
  findLink,
  forgiveSecondFactor,
  getUser,
  hashOf,
  limitSecondFactor,
  type Origin,
  openSession,
  requireProof,
  securityPage,
  spendLink,
  twoFactorChangedMail,
} from '#features/auth/server/service.ts';
import { audit } from '#server/platform/audit.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';

import { newBackupCodes, newSecret, read, stepOf, uriOf } from './codes.ts';
import * as store from './store.ts';

const hashOfCode = (ctx: AuthContext, userId: number, code: string) =>
  ctx.secrets.lastingMac('backup code', `${userId} ${code}`);

export async function readState(
  ctx: AuthContext,
  { userId }: Caller,
): Promise<{ enabled: boolean; backupCodesLeft: number }> {
  const kept = await store.findTwoFactor(ctx.db, userId);
  return { enabled: kept?.isEnabled ?? false, backupCodesLeft: await store.countBackupCodes(ctx.db, userId) };
}

const alreadyOn = () =>
  new AppError('conflict', 'Two-factor sign-in is already on. Turn it off before you set it up again.');
const notOn = () => new AppError('conflict', 'Two-factor sign-in is not on');

export async function setUp(ctx: AuthContext, caller: Caller): Promise<{ secret: string; uri: string }> {
  await requireProof(ctx, caller);
  const { email } = await getUser(ctx.db, caller.userId);
  const secret = newSecret();
  if (!(await store.prepareSecret(ctx.db, caller.userId, ctx.secrets.seal(secret)))) throw alreadyOn();
  return { secret, uri: uriOf(secret, email) };
}

/** The setup asked for a proof, and only who has its answer can know a code. */
export async function enable(
  ctx: AuthContext,
  { userId }: Caller,
  code: string,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  const kept = await store.findTwoFactor(ctx.db, userId);
  if (!kept) throw new AppError('conflict', 'Set up two-factor sign-in first');
  if (kept.isEnabled) throw alreadyOn();
  await limitSecondFactor(ctx, userId);
  const { sealedSecret } = kept;
  const at = ctx.now();
  const step = stepOf(ctx.secrets.open(sealedSecret), code, at);
  if (step === null) throw new AppError('bad_request', 'Invalid code');
  await forgiveSecondFactor(ctx, userId);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await store.enableSecret(tx, { userId, sealedSecret, step, at })))
      throw new AppError('conflict', 'Two-factor sign-in was changed in the meantime. Please try again.');
    const backupCodes = await makeBackupCodes(ctx, tx, userId);
    await tellOwner(ctx, tx, userId, 'on', origin);
    return { backupCodes };
  });
}

/** Challenges end with it: who is asked for a code would wait for one that no longer counts. */
export async function disable(ctx: AuthContext, caller: Caller, origin: Origin): Promise<void> {
  await requireProof(ctx, caller);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await store.lockEnabled(tx, caller.userId))) throw notOn();
    await store.deleteTwoFactor(tx, caller.userId);
    await dropLinks(tx, caller.userId, 'two_factor');
    await tellOwner(ctx, tx, caller.userId, 'off', origin);
  });
}

export async function renewBackupCodes(
  ctx: AuthContext,
  caller: Caller,
  origin: Origin,
): Promise<{ backupCodes: string[] }> {
  await requireProof(ctx, caller);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await store.lockEnabled(tx, caller.userId))) throw notOn();
    const backupCodes = await makeBackupCodes(ctx, tx, caller.userId);
    await tellOwner(ctx, tx, caller.userId, 'codes', origin);
    return { backupCodes };
  });
}

async function makeBackupCodes(ctx: AuthContext, tx: Db, userId: number): Promise<string[]> {
  const codes = newBackupCodes();
  const hashes = codes.map((code) => hashOfCode(ctx, userId, read(code).code));
  await store.replaceBackupCodes(tx, userId, hashes);
  return codes;
}

const ACTIONS = { on: 'two_factor.enable', off: 'two_factor.disable', codes: 'two_factor.renew' } as const;

async function tellOwner(
  ctx: AuthContext,
  tx: Db,
  userId: number,
  change: keyof typeof ACTIONS,
  { network }: Origin,
): Promise<void> {
  const at = ctx.now();
  const { email } = await getUser(tx, userId);
  await audit(tx, { at, actorId: userId, subjectId: userId, action: ACTIONS[change], network });
  await ctx.mail.post(tx, await twoFactorChangedMail({ to: email, change, at, link: securityPage(ctx) }));
}

const signInAgain = () => new AppError('unauthenticated', 'Please sign in again');

/** The second step of a sign-in. A wrong code leaves the challenge as it is, a right one spends it. */
export async function completeSignIn(
  ctx: AuthContext,
  { challenge, code }: { challenge: string; code: string },
  origin: Origin,
): Promise<SignedIn> {
  const at = ctx.now();
  const link = await findLink(ctx.db, hashOf(challenge), 'two_factor');
  if (!link?.userId || link.expiresAt <= at) throw signInAgain();
  const { userId } = link;
  await limitSecondFactor(ctx, userId);
  const isRight = await ctx.db.transaction().execute(async (tx) => {
    if (!(await useCode(ctx, tx, userId, code, origin))) return false;
    if (!(await spendLink(tx, hashOf(challenge), 'two_factor', at))) throw signInAgain();
    return true;
  });
  if (isRight) {
    await forgiveSecondFactor(ctx, userId);
    return openSession(ctx, await getUser(ctx.db, userId), origin, 'password and code');
  }
  const { network } = origin;
  const details = { after: 'password' };
  await audit(ctx.db, { at, actorId: null, subjectId: userId, action: 'two_factor.refuse', details, network });
  throw new AppError('unauthenticated', 'Invalid code');
}

async function useCode(ctx: AuthContext, tx: Db, userId: number, typed: string, { network }: Origin): Promise<boolean> {
  const at = ctx.now();
  const { kind, code } = read(typed);
  if (kind === 'totp') {
    const kept = await store.lockTwoFactor(tx, userId);
    const step = kept ? stepOf(ctx.secrets.open(kept.sealedSecret), code, at) : null;
    return kept !== undefined && step !== null && store.takeStep(tx, userId, kept.sealedSecret, step);
  }
  if (!(await store.takeBackupCode(tx, userId, hashOfCode(ctx, userId, code), at))) return false;
  const details = { left: await store.countBackupCodes(tx, userId) };
  await audit(tx, { at, actorId: userId, subjectId: userId, action: 'two_factor.backup_code', details, network });
  return true;
}
