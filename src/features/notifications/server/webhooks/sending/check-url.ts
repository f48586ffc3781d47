import { BlockList, isIP } from 'node:net';
import type { Format } from '#features/notifications/contract/webhooks.ts';
import { AppError } from '#kernel/errors.ts';

/** One list per family: a combined list would match an IPv4-mapped IPv6 address as IPv4. */
function createMatcher(family: 'ipv4' | 'ipv6', subnets: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', bits] = subnet.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return (address) => list.check(address, family);
}

const isLoopback4 = createMatcher('ipv4', ['127.0.0.0/8']);

/** IANA special-purpose, multicast and reserved ranges. */
const isSpecial4 = createMatcher('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only IPv6 range in public use: it excludes loopback, local, multicast, translated and IPv4-mapped addresses. */
const isGlobal6 = createMatcher('ipv6', ['2000::/3']);
const isSpecial6 = createMatcher('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** True for an address on the public internet. */
export function isPublic(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !isSpecial4(address);
  return family === 6 && isGlobal6(address) && !isSpecial6(address);
}

/** True for an address of this machine. */
export const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? isLoopback4(address) : address === '::1';

const PLAIN = /^https?:\/\/([^/?#]+)/i;
const PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);
/** Names of a machine or a home network. */
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

/** The host as sockets expect it, without the brackets of IPv6. */
export const hostName = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const refuse = (message: string): never => {
  throw new AppError('bad_request', message);
};

/** The URL as it may be stored; throws with an explanation for the user. */
export function checkUrl(text: string, format: Format, allowLoopback: boolean): URL {
  const given = PLAIN.exec(text)?.[1];
  if (!given || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    return refuse('Enter a full URL, such as https://hooks.example.com/meridian');
  const url = new URL(text);
  url.hash = '';
  const host = hostName(url);
  const isHere = allowLoopback && (host === 'localhost' || isLoopback(host));
  if (url.protocol !== 'https:' && !isHere) return refuse('The URL must start with https://');
  if (given.includes('@')) return refuse('The URL must not contain a username or password');
  if (!allowLoopback && !PORTS.has(url.port)) return refuse('Only ports 443 and 8443 are allowed');
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
      refuse('The URL must use a public host, such as hooks.example.com');
    return;
  }
  // Octal, hexadecimal and shortened forms serve to disguise an address.
  if (!given.toLowerCase().startsWith(url.hostname)) refuse('Use a standard IP address or a hostname');
  if (!isPublic(host)) refuse('The URL resolves to a private network');
}
