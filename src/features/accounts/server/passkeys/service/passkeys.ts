import type { Passkey } from '#features/accounts/contract/passkeys.ts';
import {
  type AuthContext,
  getUser,
  type Origin,
  passkeyChangedMail,
  requireProof,
  securityPage,
} from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { getSite, handleOf, keepChallenge, spendChallenge } from '../challenges.ts';
import * as store from '../store.ts';
import { checkRegistration, registrationOptions } from '../web-authn.ts';

const MOST = 10;

const tooMany = () =>
  new AppError('conflict', `Limit reached: ${MOST} passkeys per account. Remove one to add another.`);

export const countPasskeys = async (ctx: Pick<AuthContext, 'db'>, userId: number): Promise<number> =>
  (await store.listPasskeys(ctx.db, userId)).length;

export async function startPasskey(
  ctx: AuthContext,
  caller: Caller,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await requireProof(ctx, caller);
  const { userId } = caller;
  const existing = await store.descriptorsOf(ctx.db, userId);
  if (existing.length >= MOST) throw tooMany();
  const { email } = await getUser(ctx.db, userId);
  const options = await registrationOptions(getSite(ctx), { handle: handleOf(ctx, userId), email, existing });
  const challenge = await keepChallenge(ctx, 'passkey_registration', options.challenge, caller);
  return { challenge, options: { ...options } };
}

type Made = { challenge: string; name: string; response: Record<string, unknown> };

/** The challenge stands for the proof that it was given for, a few minutes ago in the same session. */
export async function addPasskey(
  ctx: AuthContext,
  caller: Caller,
  { challenge, name, response }: Made,
  origin: Origin,
): Promise<Passkey> {
  const { userId, sessionId } = caller;
  const spent = await spendChallenge(ctx, 'passkey_registration', challenge);
  if (!spent || spent.userId !== userId || spent.sessionId !== sessionId)
    throw new AppError('bad_request', 'This took too long. Please try again.');
  const credential = await checkRegistration(response, { site: getSite(ctx), isChallenge: spent.isChallenge });
  if (!credential) throw new AppError('bad_request', 'Couldn’t verify the passkey. Please try again.');
  return ctx.db.transaction().execute(async (tx) => {
    if ((await store.countToAdd(tx, userId)) >= MOST) throw tooMany();
    const added = await store.insertPasskey(tx, { ...credential, userId, name, at: ctx.now() });
    if (!added) throw new AppError('conflict', 'This passkey is already registered');
    await tellOwner(ctx, tx, userId, { change: 'added', id: added.id, name }, origin);
    return added;
  });
}

export async function removePasskey(ctx: AuthContext, caller: Caller, id: number, origin: Origin): Promise<void> {
  await requireProof(ctx, caller);
  const { userId } = caller;
  await ctx.db.transaction().execute(async (tx) => {
    const name = await store.deletePasskey(tx, userId, id);
    if (name === undefined) throw new AppError('not_found', 'This passkey has already been removed');
    await tellOwner(ctx, tx, userId, { change: 'removed', id, name }, origin);
  });
}

async function tellOwner(
  ctx: AuthContext,
  tx: Db,
  userId: number,
  { change, id, name }: { change: 'added' | 'removed'; id: number; name: string },
  { network }: Origin,
): Promise<void> {
  const at = ctx.now();
  const { email } = await getUser(tx, userId);
  const action = change === 'added' ? 'passkey.add' : 'passkey.remove';
  await audit(tx, { at, actorId: userId, subjectId: userId, action, details: { passkey: id }, network });
  await ctx.mail.post(tx, await passkeyChangedMail({ to: email, change, name, at, link: securityPage(ctx) }));
}
