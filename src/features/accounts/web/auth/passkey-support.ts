/** A passkey belongs to a domain: it works neither in old browsers nor at a bare network address. */
export function passkeysWork(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return typeof PublicKeyCredential === 'function' && !isAddress;
}
