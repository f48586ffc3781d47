import { isIP } from 'node:net';

/** What passkeys are bound to: the domain, and the address in the browser's bar. */
export type Site = { rpId: string; origin: string };

/**
 * The site of the address people use; null when there is none. A passkey belongs to a domain, so a server on 127.0.0.1 has the one of
 * the same port on localhost. A site never comes from a request: a passkey that answers to another one is refused.
 */
export function siteOf(publicUrl: string): Site | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  const address = hostname.replaceAll(/[[\]]/g, '');
  if (isIP(address) === 0) return { rpId: hostname, origin };
  if (!address.startsWith('127.') && address !== '::1') return null;
  return { rpId: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
}
