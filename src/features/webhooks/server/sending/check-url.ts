import { isIP } from 'node:net';
import type { Format } from '#features/webhooks/contract.ts';
import { AppError } from '#server/platform/errors.ts';
import { isLoopback, isPublic } from './public-address.ts';

const PLAIN = /^https?:\/\/([^/?#]+)/i;
const PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);
/** Names that belong to a machine or to a network at home. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

const PLACES: Record<Exclude<Format, 'generic'>, { hosts: ReadonlySet<string>; path: RegExp; words: string }> = {
  discord: {
    hosts: new Set(['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com']),
    path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/,
    words: 'A Discord webhook looks like https://discord.com/api/webhooks/…',
  },
  slack: {
    hosts: new Set(['hooks.slack.com']),
    path: /^\/(services|workflows|triggers)\/\S+$/,
    words: 'A Slack webhook looks like https://hooks.slack.com/services/…',
  },
};

/** The host of an address as sockets know it, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const refuse = (message: string): never => {
  throw new AppError('bad_request', message);
};

/** The address as it may be stored; throws with what is wrong, in words for the person who typed it. */
export function checkUrl(text: string, format: Format, allowLoopback: boolean): URL {
  const given = PLAIN.exec(text)?.[1];
  if (!given || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    return refuse('Enter a full address, such as https://hooks.example.com/meridian');
  const url = new URL(text);
  url.hash = '';
  const host = hostOf(url);
  const isHere = allowLoopback && (host === 'localhost' || isLoopback(host));
  if (url.protocol !== 'https:' && !isHere) return refuse('The address must start with https://');
  if (given.includes('@')) return refuse('The address must not hold a user name or a password');
  if (!allowLoopback && !PORTS.has(url.port)) return refuse('The address may name port 443 or 8443 only');
  checkHost(given, host, url, isHere);
  if (format !== 'generic' && !isHere) {
    const { hosts, path, words } = PLACES[format];
    if (!hosts.has(host) || !path.test(url.pathname) || url.port !== '') return refuse(words);
  }
  return url;
}

function checkHost(given: string, host: string, url: URL, isHere: boolean): void {
  if (isHere) return;
  if (isIP(host) === 0) {
    if (!host.includes('.') || host.endsWith('.') || LOCAL_NAME.test(host))
      refuse('The address must lead to a public host, such as hooks.example.com');
    return;
  }
  // Octal, hexadecimal and shortened forms exist to hide where an address leads.
  if (!given.toLowerCase().startsWith(url.hostname))
    refuse('Write the IP address in its plain form, or use a host name');
  if (!isPublic(host)) refuse('The address leads to a private network');
}
