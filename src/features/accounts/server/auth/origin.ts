import { isIPv4 } from 'node:net';

import type { RequestOrigin } from '#kernel/route.ts';

/** Origin of a request, for rate limits and for display to the user. */
export type Origin = {
  /** The /24 of an IPv4 address, the /48 of an IPv6 one. */
  network: string;
  /** Device name, such as 'Chrome on Windows'. */
  device: string;
};

export const toOrigin = ({ ip, agent }: Pick<RequestOrigin, 'ip' | 'agent'>): Origin => ({
  network: toNetwork(ip),
  device: describeDevice(agent),
});

export function toNetwork(ip: string): string {
  const plain = ip.replace(/^::ffff:/i, '');
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  return `${expandIpv6(plain).slice(0, 3).join(':')}::/48`;
}

/** The eight groups of an IPv6 address without leading zeros. */
function expandIpv6(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::');
  const ipv6Groups = (text: string) => (text === '' ? [] : text.split(':'));
  const first = ipv6Groups(head);
  const last = tail === undefined ? [] : ipv6Groups(tail);
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: missing }, () => '0'), ...last].map((group) =>
    (Number.parseInt(group, 16) || 0).toString(16),
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const named = (agent: string, table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(agent))?.[1];

/** Device name from a User-Agent; the header is untrusted, so only known names are used. */
export function describeDevice(agent: string | undefined): string {
  const browser = named(agent ?? '', BROWSERS);
  const system = named(agent ?? '', SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
