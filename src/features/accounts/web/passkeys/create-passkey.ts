import {
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { Told } from '#ui/use-submit.ts';

/** Why the browser created no passkey. */
function wordsFor(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : '';
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device already has a passkey for your account.';
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') return 'Passkeys do not work at this address.';
  return 'No passkey was created. You can try again.';
}

/** Creates a passkey for this site in the browser. */
export async function createPasskey(options: Record<string, unknown>): Promise<RegistrationResponseJSON> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw new Told(wordsFor(error));
  });
}
