import type { SignedIn } from '#features/accounts/contract/auth.ts';
import type { Passkey } from '#features/accounts/contract/passkeys.ts';
import {
  type AuthContext,
  confirmationRequired,
  getUser,
  hasSecondFactor,
  limitNetwork,
  type Origin,
  openSession,
  passkeyChangedMail,
  requireProof,
  securityPageUrl,
  toView,
  verifyProof,
} from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import * as store from './store.ts';
import {
  type Assertion,
  authenticationOptions,
  checkAssertion,
  checkRegistration,
  consumeChallenge,
  credentialIdIn,
  getSite,
  registrationOptions,
  storeChallenge,
  userHandle,
} from './web-authn.ts';

const MOST = 10;

const tooManyPasskeys = () =>
  new AppError('conflict', `Limit reached: ${MOST} passkeys per account. Remove one to add another.`);

export const countPasskeys = async (ctx: Pick<AuthContext, 'db'>, userId: number): Promise<number> =>
  (await store.listPasskeys(ctx.db, userId)).length;

export async function startPasskey(
  ctx: AuthContext,
  caller: Caller,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await requireProof(ctx, caller);
  const { userId } = caller;
  const existing = await store.listDescriptors(ctx.db, userId);
  if (existing.length >= MOST) throw tooManyPasskeys();
  const { email } = await getUser(ctx.db, userId);
  const options = await registrationOptions(getSite(ctx), { handle: userHandle(ctx, userId), email, existing });
  const challenge = await storeChallenge(ctx, 'passkey_registration', options.challenge, caller);
  return { challenge, options: { ...options } };
}

type CreatedPasskey = { challenge: string; name: string; response: Record<string, unknown> };

/** The challenge implies the proof of identity it was issued with, minutes ago in the same session. */
export async function addPasskey(
  ctx: AuthContext,
  caller: Caller,
  { challenge, name, response }: CreatedPasskey,
  origin: Origin,
): Promise<Passkey> {
  const { userId, sessionId } = caller;
  const spent = await consumeChallenge(ctx, 'passkey_registration', challenge);
  if (!spent || spent.userId !== userId || spent.sessionId !== sessionId)
    throw new AppError('bad_request', 'This took too long. Please try again.');
  const credential = await checkRegistration(response, { site: getSite(ctx), isChallenge: spent.isChallenge });
  if (!credential) throw new AppError('bad_request', 'Couldn’t verify the passkey. Please try again.');
  return ctx.db.transaction().execute(async (tx) => {
    if ((await store.countPasskeysForUpdate(tx, userId)) >= MOST) throw tooManyPasskeys();
    const added = await store.insertPasskey(tx, { ...credential, userId, name, at: ctx.now() });
    if (!added) throw new AppError('conflict', 'This passkey is already registered');
    await notifyOwner(ctx, tx, userId, { change: 'added', id: added.id, name }, origin);
    return added;
  });
}

export async function removePasskey(ctx: AuthContext, caller: Caller, id: number, origin: Origin): Promise<void> {
  await requireProof(ctx, caller);
  const { userId } = caller;
  await ctx.db.transaction().execute(async (tx) => {
    const name = await store.deletePasskey(tx, userId, id);
    if (name === undefined) throw new AppError('not_found', 'This passkey has already been removed');
    await notifyOwner(ctx, tx, userId, { change: 'removed', id, name }, origin);
  });
}

async function notifyOwner(
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
  await ctx.mail.enqueue(tx, await passkeyChangedMail({ to: email, change, name, at, link: securityPageUrl(ctx) }));
}

const refused = (message: string) => new AppError('unauthenticated', message);

/** A signed-in user is asked for a passkey of their own account. */
export async function startSignIn(
  ctx: AuthContext,
  caller: Caller | null,
  { network }: Origin,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await limitNetwork(ctx, 'passkeyOptions', network);
  const allowed = caller ? await store.listDescriptors(ctx.db, caller.userId) : [];
  const options = await authenticationOptions(getSite(ctx), allowed);
  const challenge = await storeChallenge(ctx, 'passkey_login', options.challenge, null);
  return { challenge, options: { ...options } };
}

type Answer = { challenge: string; response: Record<string, unknown> };
type By = { caller: Caller | null; bearer: string | null; origin: Origin };

/** Signs in by passkey. With a session of the same account, it confirms that session instead. */
export async function signIn(
  ctx: AuthContext,
  { challenge, response }: Answer,
  { caller, bearer, origin }: By,
): Promise<SignedIn> {
  await limitNetwork(ctx, 'passkey', origin.network);
  const spent = await consumeChallenge(ctx, 'passkey_login', challenge);
  if (!spent) throw refused('This took too long. Please try again.');
  const credentialId = credentialIdIn(response);
  const passkey = credentialId && (await store.findPasskey(ctx.db, credentialId));
  if (!passkey) throw refused('Unknown passkey');
  const assertion = await checkAssertion(response, passkey, { site: getSite(ctx), isChallenge: spent.isChallenge });
  if (!assertion || !isOwnedBy(ctx, passkey.user_id, assertion)) {
    await auditRefusal(ctx, passkey, 'not verified', origin);
    throw refused('Couldn’t verify the passkey. Please try again.');
  }
  if (!(await store.recordUse(ctx.db, passkey.id, assertion.counter, ctx.now()))) {
    await auditRefusal(ctx, passkey, 'counter went back', origin);
    throw refused('This passkey was rejected because it may have been copied. Please sign in another way.');
  }
  const user = await getUser(ctx.db, passkey.user_id);
  if (!user.email_verified_at && confirmationRequired(ctx))
    throw new AppError('forbidden', 'Please confirm your email address before you sign in.');
  if (!assertion.verified && (await hasSecondFactor(ctx.db, user.id)))
    throw new AppError(
      'forbidden',
      'This passkey did not verify your PIN, fingerprint or face. Please sign in with your password and a code.',
    );
  const isOwn = bearer !== null && caller?.userId === user.id && caller.sessionId !== null;
  if (!isOwn || !(await verifyProof(ctx, caller))) return openSession(ctx, user, origin, 'passkey');
  return { token: bearer, user: await toView(ctx, user) };
}

const isOwnedBy = (ctx: AuthContext, userId: number, { handle }: Assertion) =>
  handle === undefined || userHandle(ctx, userId).equals(Buffer.from(handle, 'base64url'));

async function auditRefusal(
  ctx: AuthContext,
  { id, user_id }: store.PasskeyRow,
  why: string,
  { network }: Origin,
): Promise<void> {
  const details = { passkey: id, why };
  await audit(ctx.db, {
    at: ctx.now(),
    actorId: null,
    subjectId: user_id,
    action: 'passkey.refuse',
    details,
    network,
  });
}
