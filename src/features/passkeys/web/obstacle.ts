import { BRAND } from '#shared/brand.ts';

/** Why this browser can make no passkey here, in words; null when it can. */
export function obstacle(): string | null {
  // A passkey belongs to a domain: browsers refuse one for a bare network address.
  if (/^[\d.]+$|:/.test(location.hostname))
    return `Passkeys belong to a domain name. Open ${BRAND.name} by its name, such as localhost, to add one.`;
  if (typeof PublicKeyCredential !== 'function') return 'This browser cannot make passkeys.';
  return null;
}
