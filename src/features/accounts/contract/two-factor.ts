import { z } from 'zod/mini';

import { signedIn, token } from '#features/accounts/contract/auth.ts';
import { endpoint } from '#shared/contract.ts';

/** `code`: six digits from the authenticator, or a backup code. */
export const completeTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor',
  access: 'public',
  body: z.strictObject({ challenge: token, code: z.string().check(z.minLength(6), z.maxLength(32)) }),
  reply: signedIn,
});

/** Confirms the user's identity for 15 minutes, as the password does without a second factor. */
export const proveByCode = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/prove',
  access: 'free',
  body: z.strictObject({ code: z.string().check(z.minLength(6), z.maxLength(32)) }),
  reply: z.object({ until: z.iso.datetime() }),
});

export const getTwoFactor = endpoint({
  method: 'GET',
  path: '/api/auth/two-factor',
  access: 'free',
  reply: z.object({ enabled: z.boolean(), backupCodesLeft: z.number() }),
});

/** Needs a fresh sign-in. Creates a secret that is activated by its first code. */
export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/setup',
  access: 'free',
  reply: z.object({ secret: z.string(), uri: z.string() }),
});

const sixDigits = z.string().check(z.regex(/^\d{6}$/, 'Enter the six-digit code'));
const backupCodes = z.object({ backupCodes: z.array(z.string()) });

/** The ten backup codes are shown only once. */
export const enableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/enable',
  access: 'free',
  body: z.strictObject({ code: sixDigits }),
  reply: backupCodes,
});

/** Needs a fresh sign-in. */
export const disableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/disable',
  access: 'free',
  reply: z.object({ success: z.literal(true) }),
});

/** Needs a fresh sign-in. Invalidates the old codes. */
export const renewBackupCodes = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/backup-codes',
  access: 'free',
  reply: backupCodes,
});
