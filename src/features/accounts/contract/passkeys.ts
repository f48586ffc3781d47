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

/** WebAuthn's own JSON forms: the browser's library makes and reads them, the server's library checks them. */
const webAuthnJson = z.record(z.string(), z.unknown());

/** Asks for a fresh proof; the challenge carries it over to `addPasskey`. */
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

/** Asks for a fresh proof. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a passkey')) }),
  reply: z.object({ success: z.literal(true) }),
});

/** With a session, asks for a passkey of that account; otherwise for any passkey of this site. */
export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  access: 'public',
  reply: z.object({ challenge: z.string(), options: webAuthnJson }),
});

/** With a session of the same account this is a fresh proof; the reply then contains the current token. */
export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/login',
  access: 'public',
  body: z.strictObject({ challenge: token, response: webAuthnJson }),
  reply: signedIn,
});
