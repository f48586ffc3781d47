import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { BlockList, type Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify';

import { networkOf } from '#features/accounts/server/auth/origin.ts';

import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/errors.ts';

/** A request has to arrive within a minute, however slowly its sender writes. Node heeds that only with a shorter time for the headers. */
export const REQUEST_TIMEOUT: Pick<FastifyServerOptions, 'requestTimeout'> & { http: ServerOptions } = {
  requestTimeout: 60_000,
  http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
};

const RETRY_AFTER_SECONDS = 30;

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8);
thisMachine.addAddress('::1', 'ipv6');
const isThisMachine = (ip: string) =>
  thisMachine.check(ip.replace(/^::ffff:/i, ''), ip.includes('.') ? 'ipv4' : 'ipv6');

/** Counts what one network holds open in this process; null beyond `most`, else a function that gives the place back. 0 is without limit. */
export function createBound(most: number): (ip: string) => (() => void) | null {
  const open = new Map<string, number>();
  return (ip) => {
    // A proxy on this machine speaks for everyone.
    if (most === 0 || isThisMachine(ip)) return () => undefined;
    const network = networkOf(ip);
    const held = open.get(network) ?? 0;
    if (held >= most) return null;
    open.set(network, held + 1);
    return () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    };
  };
}

/** Without a proxy in front: behind one, every connection is the proxy's. */
export function boundConnections(app: FastifyInstance, config: Config): void {
  if (config.TRUST_PROXY > 0) return;
  const take = createBound(config.CONNECTIONS_PER_NETWORK);
  app.server.on('connection', (socket: Socket) => {
    const giveBack = take(socket.remoteAddress ?? '::1');
    if (giveBack) socket.once('close', giveBack);
    else socket.destroy();
  });
}

/** Admits a stream, until its connection ends. */
export function boundStreams(config: Config): (ip: string, socket: Socket) => void {
  const take = createBound(config.STREAMS_PER_NETWORK);
  return (ip, socket) => {
    const giveBack = take(ip);
    if (!giveBack)
      throw new AppError(
        'rate_limited',
        'Too many live streams are open from this network. Close a page and try again.',
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    if (socket.destroyed) giveBack();
    else socket.once('close', giveBack);
  };
}

/** What an answer says of its use elsewhere, unless its route says more: not stored, not shown on other sites. */
export function keepToOurselves(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (!reply.hasHeader('cross-origin-resource-policy')) reply.header('cross-origin-resource-policy', 'same-origin');
}

const TWO_HOSTS = JSON.stringify(new AppError('bad_request', 'A request must name exactly one host').toWire());

/** A proxy may go by one Host and we by the other: such a request is refused before anything reads it. */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onReady', (done) => {
    const inner = app.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    app.server.removeAllListeners('request');
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const hosts = request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
      if (hosts.length < 2) {
        for (const listener of inner) listener(request, response);
        return;
      }
      response
        .writeHead(400, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
        .end(TWO_HOSTS);
    });
    done();
  });
}
