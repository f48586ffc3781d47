import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';

import { AppError } from '#kernel/errors.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Headers added by proxies: a client behind one is not on this machine, though the connection is. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (address === '' || !loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return false;
  // A foreign name resolving to this machine would let other sites read through its browser (DNS rebinding).
  return FORWARDED.every((name) => headers[name] === undefined) && LOCAL_NAME.test(headers.host ?? '');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * With a token configured, anyone who presents it, from anywhere; without one, only this machine. @throws AppError 401,
 * 403
 */
export function admit(request: IncomingMessage, token: string | undefined): void {
  if (token === undefined) {
    if (isLocal(request)) return;
    throw new AppError(
      'forbidden',
      'Metrics are available on this machine only. Set METRICS_TOKEN to read them from elsewhere',
    );
  }
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new AppError('unauthenticated', 'Metrics require the METRICS_TOKEN token', {
      headers: { 'www-authenticate': 'Bearer' },
    });
}
