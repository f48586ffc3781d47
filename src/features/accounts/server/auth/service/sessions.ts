import { ACCOUNT_DISABLED, type Session, type SignedIn } from '#features/accounts/contract/auth.ts';
import { readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { notifyAccountChange } from '../account-changes.ts';
import { sessionEnd } from '../callers.ts';
import type { AuthContext } from '../context.ts';
import { newSignInMail } from '../mails/security.ts';
import type { Origin } from '../origin.ts';
import {
  deleteSessions,
  findSession,
  insertSession,
  listSessionRows,
  rememberDevice,
  replaceToken,
} from '../store/sessions.ts';
import { getUser, lockUserShared, type UserRow } from '../store/users.ts';
import { hashToken, newToken } from '../tokens.ts';
import { securityPageUrl } from './links.ts';

/** A confirmation token appears in a URL, so it lasts at most a minute and ends with its exchange. */
const HANDED_MS = 60_000;
const HANDED = 'h';

export type SignInMethod = 'password' | 'password and code' | 'passkey' | 'mail link' | 'sign-up';

export const isDisabled = ({ disabled_at }: Pick<UserRow, 'disabled_at'>): boolean => disabled_at !== null;
export const accountDisabled = (): AppError => new AppError('forbidden', ACCOUNT_DISABLED);

/**
 * Opens a session after authentication. A new device is reported by email. The account may have been disabled or
 * deleted since it was read: it is locked here, so that either this sees the change, or the change sees the session.
 */
export async function openSession(
  ctx: AuthContext,
  user: UserRow,
  origin: Origin,
  how: SignInMethod,
): Promise<SignedIn> {
  const handed = how === 'mail link';
  const token = newToken(handed ? HANDED : 's');
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockUserShared(tx, user.id);
    if (!locked) throw new AppError('unauthenticated', 'This account was deleted');
    if (isDisabled(locked)) throw accountDisabled();
    const sessionId = await insertSession(tx, {
      tokenHash: hashToken(token),
      userId: user.id,
      ...origin,
      at,
      expiresAt: handed ? new Date(at.getTime() + HANDED_MS) : sessionEnd({ createdAt: at, role: locked.role }, at),
    });
    const { isNew } = await rememberDevice(tx, user.id, origin, at);
    if (isNew)
      await ctx.mail.enqueue(tx, await newSignInMail({ to: user.email, ...origin, at, link: securityPageUrl(ctx) }));
    await audit(tx, {
      at,
      actorId: user.id,
      subjectId: user.id,
      action: 'session.start',
      details: { sessionId, how, device: origin.device },
      network: origin.network,
    });
  });
  return { token, user: await toView(ctx, user) };
}

const withoutToken = () => new AppError('unauthenticated', 'Invalid confirmation token');

/** Continues a confirmation's session under a token that never appeared in a URL. */
export async function exchangeToken(ctx: AuthContext, handed: string): Promise<SignedIn> {
  const token = newToken('s');
  const at = ctx.now();
  const session = handed.startsWith(`${HANDED}_`) ? await findSession(ctx.db, hashToken(handed), at) : undefined;
  if (!session) throw withoutToken();
  const { userId } = session;
  await ctx.db.transaction().execute(async (tx) => {
    const next = { tokenHash: hashToken(token), at, expiresAt: sessionEnd(session, at) };
    if (!(await replaceToken(tx, hashToken(handed), next))) throw withoutToken();
    await notifyAccountChange(tx, { user: userId, ended: [] });
  });
  return { token, user: await toView(ctx, await getUser(ctx.db, userId)) };
}

export async function toView(ctx: AuthContext, user: UserRow): Promise<SignedIn['user']> {
  const plan = resolvePlan(user.role, await readPlanStatus(ctx.db, user.id, ctx.now()));
  return { id: user.id, email: user.email, role: user.role, isAdmin: user.role === 'admin', plan };
}

export async function listSessions(
  ctx: Pick<AuthContext, 'db' | 'now'>,
  caller: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<Session[]> {
  const rows = await listSessionRows(ctx.db, caller.userId, ctx.now());
  return rows.map(({ id, device, network, created_at, seen_at }) => ({
    id: String(id),
    current: id === caller.sessionId,
    device,
    network,
    createdAt: created_at,
    seenAt: seen_at,
  }));
}

type SessionSelection = { only: number } | { but: number } | 'all';

/** Ends sessions within the caller's transaction and notifies every process. Returns how many ended. */
export async function endSessions(
  tx: Db,
  { userId, which, at, actorId }: { userId: number; which: SessionSelection; at: Date; actorId: number | null },
): Promise<number> {
  const ended = await deleteSessions(tx, userId, which);
  if (ended.length === 0) return 0;
  await audit(tx, { at, actorId, subjectId: userId, action: 'session.end', details: { sessions: ended.length } });
  await notifyAccountChange(tx, { user: userId, ended });
  return ended.length;
}

const end = (ctx: AuthContext, caller: Caller, which: SessionSelection) =>
  ctx.db
    .transaction()
    .execute((tx) => endSessions(tx, { userId: caller.userId, which, at: ctx.now(), actorId: caller.userId }));

export async function logout(ctx: AuthContext, caller: Caller): Promise<void> {
  if (caller.sessionId !== null) await end(ctx, caller, { only: caller.sessionId });
}

export async function endOneSession(ctx: AuthContext, caller: Caller, id: number): Promise<void> {
  if ((await end(ctx, caller, { only: id })) === 0) throw new AppError('not_found', 'This session has already ended');
}

export function endOwnSessions(ctx: AuthContext, caller: Caller, keepCurrent: boolean): Promise<number> {
  return end(ctx, caller, keepCurrent && caller.sessionId !== null ? { but: caller.sessionId } : 'all');
}
