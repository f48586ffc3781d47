import type { SignedIn } from '#features/accounts/contract/auth.ts';
import {
  type AuthContext,
  confirmationRequired,
  getUser,
  hasSecondFactor,
  limitNetwork,
  type Origin,
  openSession,
  prove,
  viewOf,
} from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import { getSite, handleOf, keepChallenge, spendChallenge } from '../challenges.ts';
import * as store from '../store.ts';
import { type Assertion, authenticationOptions, checkAssertion, credentialIdIn } from '../web-authn.ts';

const refused = (message: string) => new AppError('unauthenticated', message);

/** Who is signed in is asked for a passkey of the own account. */
export async function startSignIn(
  ctx: AuthContext,
  caller: Caller | null,
  { network }: Origin,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await limitNetwork(ctx, 'passkeyOptions', network);
  const allowed = caller ? await store.descriptorsOf(ctx.db, caller.userId) : [];
  const options = await authenticationOptions(getSite(ctx), allowed);
  const challenge = await keepChallenge(ctx, 'passkey_login', options.challenge, null);
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
  const spent = await spendChallenge(ctx, 'passkey_login', challenge);
  if (!spent) throw refused('This took too long. Please try again.');
  const credentialId = credentialIdIn(response);
  const passkey = credentialId && (await store.findPasskey(ctx.db, credentialId));
  if (!passkey) throw refused('Unknown passkey');
  const assertion = await checkAssertion(response, passkey, { site: getSite(ctx), isChallenge: spent.isChallenge });
  if (!assertion || !isOwners(ctx, passkey.user_id, assertion)) {
    await noteRefusal(ctx, passkey, 'not verified', origin);
    throw refused('Couldn’t verify the passkey. Please try again.');
  }
  if (!(await store.noteUse(ctx.db, passkey.id, assertion.counter, ctx.now()))) {
    await noteRefusal(ctx, passkey, 'counter went back', origin);
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
  if (!isOwn || !(await prove(ctx, caller))) return openSession(ctx, user, origin, 'passkey');
  return { token: bearer, user: await viewOf(ctx, user) };
}

const isOwners = (ctx: AuthContext, userId: number, { handle }: Assertion) =>
  handle === undefined || handleOf(ctx, userId).equals(Buffer.from(handle, 'base64url'));

async function noteRefusal(
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
