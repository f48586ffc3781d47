import type { Db } from '#kernel/db.ts';

import type { AuthContext } from '../context.ts';
import type { Purpose } from '../schema.ts';
import { deleteLinks, insertLink } from '../store/links.ts';
import { clearPendingEmail } from '../store/users.ts';
import { hashToken, newToken } from '../tokens.ts';

const MINUTE_MS = 60_000;

export const TOKEN_TTL_MS = {
  confirm: 24 * 60 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
  change_email: 24 * 60 * MINUTE_MS,
  end_access: 24 * 60 * MINUTE_MS,
  stream: 30_000,
  two_factor: 5 * MINUTE_MS,
  passkey_registration: 5 * MINUTE_MS,
  passkey_login: 5 * MINUTE_MS,
} satisfies Record<Purpose, number>;

type TokenRequest = { purpose: Purpose; userId: number | null; sessionId?: number | null; data?: string | null };

/** Creates a single-use token in the caller's transaction and returns it: it cannot be read again. */
export async function createToken(
  ctx: AuthContext,
  tx: Db,
  request: TokenRequest,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken(request.purpose.slice(0, 2));
  const at = ctx.now();
  const expiresAt = new Date(at.getTime() + TOKEN_TTL_MS[request.purpose]);
  await insertLink(tx, { ...request, tokenHash: hashToken(token), at, expiresAt });
  return { token, expiresAt };
}

/** The page that confirms an address with a request of its own. */
export const CONFIRM_PAGE = '/auth/confirm';

/** The URL of an email link. */
export const buildLink = (ctx: AuthContext, path: string, token: string): string =>
  `${ctx.publicUrl()}${path}?token=${token}`;

export const securityPageUrl = (ctx: AuthContext): string => `${ctx.publicUrl()}/app/profile?tab=security`;
export const signUpPageUrl = (ctx: AuthContext): string => `${ctx.publicUrl()}/app?auth=register`;
/** A new password is requested in the sign-in dialog. */
export const signInUrls = (ctx: Pick<AuthContext, 'publicUrl'>): { signInLink: string; resetLink: string } => ({
  signInLink: `${ctx.publicUrl()}/app?auth=login`,
  resetLink: `${ctx.publicUrl()}/app?auth=login`,
});

/** Discards the pending address and its link. False when none was pending. */
export async function cancelPendingEmailChange(tx: Db, userId: number): Promise<boolean> {
  await deleteLinks(tx, userId, 'change_email');
  return clearPendingEmail(tx, userId);
}
