/** Why this browser can make no passkey here, in words; null when it can. */
export function obstacle(): string | null {
  const { hostname, protocol, port } = location;
  // A passkey belongs to a domain: browsers refuse one for a bare network address.
  if (/^127\.|^\[::1\]$/.test(hostname))
    return `Passkeys belong to a name: to add one, sign in at ${protocol}//localhost${port && `:${port}`}.`;
  if (/^[\d.]+$|:/.test(hostname)) return 'Passkeys belong to a domain name. This address has none.';
  if (typeof PublicKeyCredential !== 'function') return 'This browser cannot make passkeys.';
  return null;
}
