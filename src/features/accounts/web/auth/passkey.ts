import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { SignedIn } from '#features/accounts/contract/auth.ts';
import { passkeyLogin, startPasskeyLogin } from '#features/accounts/contract/passkeys.ts';
import { call } from '#ui/api/client.ts';
import { Told } from '#ui/use-submit.ts';

/** Why the browser provided no passkey, in words for the user. */
export class NoPasskey extends Told {}

const GIVEN_UP = 'No passkey was used. Try again, or sign in with your password.';
const OTHER_ADDRESS = 'Passkeys do not work at this address. Sign in with your password.';

function refusal(error: unknown): NoPasskey {
  const code = error instanceof WebAuthnError ? error.code : '';
  return new NoPasskey(code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' ? OTHER_ADDRESS : GIVEN_UP);
}

async function proof(useBrowserAutofill: boolean, signal: AbortSignal) {
  const { challenge, options } = await call(startPasskeyLogin, {}, signal);
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true });
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill }).catch((error: unknown) => {
    throw refusal(error);
  });
  return { challenge, response: { ...response } };
}

/** Signs in with a passkey of this site. */
export async function signInWithPasskey(signal: AbortSignal): Promise<SignedIn> {
  return call(passkeyLogin, { body: await proof(false, signal) }, signal);
}

/** Offers passkeys as autofill suggestions for the email; silent until one is chosen. */
export async function suggestPasskeys(signal: AbortSignal): Promise<(() => Promise<SignedIn>) | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const body = await proof(true, signal).catch(() => null);
  return body && (() => call(passkeyLogin, { body }, signal));
}
