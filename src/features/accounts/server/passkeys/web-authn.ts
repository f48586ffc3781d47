import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type AuthContext, consumeLink, createToken, hashToken } from '#features/accounts/server/auth/service.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';

import type { Descriptor, PasskeyRow } from './store.ts';

type Json = Record<string, unknown>;

/** Hundreds of modules: loaded with the first passkey request. */
const loadLibrary = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: supported by every supported Node version. */
const ALGORITHMS = [-8, -7, -257];
const CEREMONY_MS = 5 * 60_000;
/** WebAuthn's limit of 1023 bytes, in base64url. */
const LONGEST_ID = 1364;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

type NewOwner = { handle: Buffer; email: string; existing: Descriptor[] };

export async function registrationOptions(site: Site, { handle, email, existing }: NewOwner) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: BRAND.name,
    rpID: site.rpId,
    userID: Uint8Array.from(handle),
    userName: email,
    userDisplayName: email,
    attestationType: 'none',
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CEREMONY_MS,
  });
}

/** Without `allowed` the browser offers every passkey it has for the site. */
export async function authenticationOptions(site: Site, allowed: Descriptor[]) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: site.rpId,
    userVerification: 'preferred',
    timeout: CEREMONY_MS,
    ...(allowed.length > 0 ? { allowCredentials: allowed } : {}),
  });
}

/** The credential id in a response, if well-formed. */
export function credentialIdIn({ id }: Json): string | undefined {
  return typeof id === 'string' && id.length <= LONGEST_ID && /^[\w-]+$/.test(id) ? id : undefined;
}

type Expected = { site: Site; isChallenge: (text: string) => boolean };
export type NewCredential = { credentialId: string; publicKey: Buffer; counter: number; transports: string[] };

/** The new credential; null for an invalid response. */
export async function checkRegistration(
  response: Json,
  { site, isChallenge }: Expected,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  // The library throws for any irregularity, including the shape.
  const checked = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: isChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  const credential = checked?.verified ? checked.registrationInfo.credential : null;
  const credentialId = credential && credentialIdIn({ id: credential.id });
  if (!credential || !credentialId) return null;
  const { transports } = response['response'] as { transports?: unknown };
  const named: readonly unknown[] = Array.isArray(transports) ? transports : [];
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((each) => named.includes(each)),
  };
}

/** `verified`: the device has verified the user, not only their presence. */
export type Assertion = { counter: number; verified: boolean; handle: string | undefined };

/** The result of an assertion; null for an invalid response. The counter is checked by the store. */
export async function checkAssertion(
  response: Json,
  passkey: PasskeyRow,
  { site, isChallenge }: Expected,
): Promise<Assertion | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const answer = response as unknown as AuthenticationResponseJSON;
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: isChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: false,
    credential: { id: passkey.credential_id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { newCounter, userVerified } = checked.authenticationInfo;
  return { counter: newCounter, verified: userVerified, handle: answer.response.userHandle || undefined };
}

/** What passkeys are bound to: the domain and the origin. */
type Site = { rpId: string; origin: string };

/**
 * The site of the public URL; null when there is none. A passkey belongs to a domain, so a server on 127.0.0.1 uses
 * localhost with the same port. Never derived from a request: a passkey for another site is refused.
 */
export function toSite(publicUrl: string): Site | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  const address = hostname.replaceAll(/[[\]]/g, '');
  if (isIP(address) === 0) return { rpId: hostname, origin };
  if (!address.startsWith('127.') && address !== '::1') return null;
  return { rpId: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
}

type Purpose = 'passkey_registration' | 'passkey_login';
type ChallengeOwner = Pick<Caller, 'userId' | 'sessionId'>;

const fingerprint = (text: string) => hashToken(text).toString('base64url');

/** Stores the hash of a passkey challenge under a single-use token valid for five minutes. */
export async function storeChallenge(
  ctx: AuthContext,
  purpose: Purpose,
  text: string,
  whose: ChallengeOwner | null,
): Promise<string> {
  const { userId = null, sessionId = null } = whose ?? {};
  const { token } = await createToken(ctx, ctx.db, { purpose, userId, sessionId, data: fingerprint(text) });
  return token;
}

type UsedChallenge = { userId: number | null; sessionId: number | null; isChallenge: (text: string) => boolean };

/** Undefined when it is unknown, spent or expired. */
export async function consumeChallenge(
  ctx: AuthContext,
  purpose: Purpose,
  token: string,
): Promise<UsedChallenge | undefined> {
  const spent = await consumeLink(ctx.db, hashToken(token), purpose, ctx.now());
  return spent && { ...spent, isChallenge: (text) => fingerprint(text) === spent.data };
}

/** The user handle inside a passkey: opaque to others, and unaffected by a change of address. */
export const userHandle = (ctx: AuthContext, userId: number): Buffer =>
  ctx.secrets.lastingMac('passkey owner', String(userId));

export function getSite(ctx: AuthContext): Site {
  const site = toSite(ctx.publicUrl());
  if (site) return site;
  throw new AppError('conflict', 'Passkeys require a domain name, but this site uses a network address.');
}
