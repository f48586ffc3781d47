import { BlockList, isIP } from 'node:net';

/** One list per family: a list that holds both takes an IPv6 address with an IPv4 one in it for the latter. */
function listOf(family: 'ipv4' | 'ipv6', subnets: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', bits] = subnet.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return (address) => list.check(address, family);
}

const isLoopback4 = listOf('ipv4', ['127.0.0.0/8']);

/** What IANA keeps for special purposes, multicast and reserved ones. */
const isSpecial4 = listOf('ipv4', [
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

/** Of IPv6 only this is in public use: no loopback, local, multicast, translated or IPv4-mapped address is in it. */
const isGlobal6 = listOf('ipv6', ['2000::/3']);
const isSpecial6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** True for an address that is reached over the open internet. */
export function isPublic(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !isSpecial4(address);
  return family === 6 && isGlobal6(address) && !isSpecial6(address);
}

/** True for an address of this machine. */
export const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? isLoopback4(address) : address === '::1';
