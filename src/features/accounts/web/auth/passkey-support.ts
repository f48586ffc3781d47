/** A passkey belongs to a domain: unsupported in old browsers and at a bare network address. */
export function passkeysWork(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return typeof PublicKeyCredential === 'function' && !isAddress;
}
