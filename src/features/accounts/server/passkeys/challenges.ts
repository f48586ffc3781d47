import { type AuthContext, hashOf, makeToken, spendLink } from '#features/accounts/server/auth/service.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import { type Site, siteOf } from './site.ts';

type Purpose = 'passkey_registration' | 'passkey_login';
type Whose = Pick<Caller, 'userId' | 'sessionId'>;

const fingerprint = (text: string) => hashOf(text).toString('base64url');

/** Keeps what a passkey is asked to sign, as a hash, under a token of one use and five minutes. */
export async function keepChallenge(
  ctx: AuthContext,
  purpose: Purpose,
  text: string,
  whose: Whose | null,
): Promise<string> {
  const { userId = null, sessionId = null } = whose ?? {};
  const { token } = await makeToken(ctx, ctx.db, { purpose, userId, sessionId, data: fingerprint(text) });
  return token;
}

type Spent = { userId: number | null; sessionId: number | null; isChallenge: (text: string) => boolean };

/** Undefined when it is unknown, spent or too old. */
export async function spendChallenge(ctx: AuthContext, purpose: Purpose, token: string): Promise<Spent | undefined> {
  const spent = await spendLink(ctx.db, hashOf(token), purpose, ctx.now());
  return spent && { ...spent, isChallenge: (text) => fingerprint(text) === spent.data };
}

/** What the account is called inside a passkey: it says nothing to anyone else, and stays when the address changes. */
export const handleOf = (ctx: AuthContext, userId: number): Buffer =>
  ctx.secrets.lastingMac('passkey owner', String(userId));

export function getSite(ctx: AuthContext): Site {
  const site = siteOf(ctx.publicUrl());
  if (site) return site;
  throw new AppError('conflict', 'Passkeys require a domain name, but this site uses a network address.');
}
