import { z } from 'zod/mini';

import { signedIn, token } from '#features/accounts/contract/auth.ts';
import { endpoint } from '#shared/contract.ts';

const passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Passkey = z.infer<typeof passkey>;

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/auth/passkeys',
  access: 'free',
  reply: z.object({ passkeys: z.array(passkey) }),
});

/** WebAuthn JSON: created and read by the browser library, verified by the server library. */
const webAuthnJson = z.record(z.string(), z.unknown());

/** Needs a fresh sign-in; the challenge carries the proof over to `addPasskey`. */
export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/options',
  access: 'free',
  reply: z.object({ challenge: z.string(), options: webAuthnJson }),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys',
  access: 'free',
  body: z.strictObject({
    challenge: token,
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Name is required'),
        z.maxLength(60),
        z.regex(/^\P{Cc}*$/u, 'Names must be a single line'),
      ),
    response: webAuthnJson,
  }),
  reply: passkey,
});

/** Needs a fresh sign-in. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a passkey')) }),
  reply: z.object({ success: z.literal(true) }),
});

/** With a session, requests a passkey of that account; otherwise any passkey of this site. */
export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  access: 'public',
  reply: z.object({ challenge: z.string(), options: webAuthnJson }),
});

/** With a session of the same account this counts as a fresh sign-in; the reply then contains the current token. */
export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/login',
  access: 'public',
  body: z.strictObject({ challenge: token, response: webAuthnJson }),
  reply: signedIn,
});
