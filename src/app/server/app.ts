import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { BlockList, type Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify';

import { attachCallers } from '#features/accounts/server/auth/callers.ts';
import { toNetwork } from '#features/accounts/server/auth/origin.ts';
import { redeemTicket } from '#features/accounts/server/auth/service.ts';
import { listForAdmin } from '#features/api/server/api-keys/service/keys.ts';
import type { Config } from '#kernel/config.ts';
import { earlyErrors, handleErrors } from '#kernel/error-handler.ts';
import { AppError } from '#kernel/errors.ts';
import { streamRoute } from '#kernel/live/route.ts';
import { demoMailRoute } from '#kernel/mail/demo-mail.ts';
import { compressTexts } from '#kernel/read-model.ts';
import type { RequestMetrics } from '#kernel/request-watch.ts';
import { allowEmptyJson } from '#kernel/route.ts';
import { serveBeforeRouter } from '#kernel/serve.ts';

import { cacheResponses, sharedHeaders } from './cache-answers.ts';
import { FEATURES, PERSONAL_DATA, type RouteParts, TOPICS } from './compose.ts';
import { transportHeaders } from './pages/document.ts';
import type { Pages } from './pages/pages.ts';

/**
 * A request has to arrive within a minute, however slowly it is sent. Node enforces that only with a shorter timeout
 * for the headers.
 */
const REQUEST_TIMEOUT: Pick<FastifyServerOptions, 'requestTimeout'> & { http: ServerOptions } = {
  requestTimeout: 60_000,
  http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
};

const RETRY_AFTER_SECONDS = 30;

const localAddresses = new BlockList();
localAddresses.addSubnet('127.0.0.0', 8);
localAddresses.addAddress('::1', 'ipv6');
const isLocalHost = (ip: string) =>
  localAddresses.check(ip.replace(/^::ffff:/i, ''), ip.includes('.') ? 'ipv4' : 'ipv6');

/**
 * Counts open connections per network in this process; null beyond `most`, else a function that releases the place. 0
 * means unlimited.
 */
export function createConnectionLimit(most: number): (ip: string) => (() => void) | null {
  const open = new Map<string, number>();
  return (ip) => {
    // A proxy on this machine forwards requests of all clients.
    if (most === 0 || isLocalHost(ip)) return () => undefined;
    const network = toNetwork(ip);
    const count = open.get(network) ?? 0;
    if (count >= most) return null;
    open.set(network, count + 1);
    return () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    };
  };
}

/** Only without a proxy in front: behind one, every connection comes from the proxy. */
function boundConnections(app: FastifyInstance, config: Config): void {
  if (config.TRUST_PROXY > 0) return;
  const take = createConnectionLimit(config.CONNECTIONS_PER_NETWORK);
  app.server.on('connection', (socket: Socket) => {
    const giveBack = take(socket.remoteAddress ?? '::1');
    if (giveBack) socket.once('close', giveBack);
    else socket.destroy();
  });
}

/** Admits a stream until its connection ends. */
function boundStreams(config: Config): (ip: string, socket: Socket) => void {
  const take = createConnectionLimit(config.STREAMS_PER_NETWORK);
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

/** Defaults unless the route sets its own headers: not stored, not embedded by other sites. */
function rejectOtherHosts(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (!reply.hasHeader('cross-origin-resource-policy')) reply.header('cross-origin-resource-policy', 'same-origin');
}

const DUPLICATE_HOST = JSON.stringify(new AppError('bad_request', 'A request must name exactly one host').toWire());

/** With two Host headers a proxy may use one and we the other, so the request is refused before anything reads it. */
function rejectDuplicateHost(app: FastifyInstance): void {
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
        .end(DUPLICATE_HOST);
    });
    done();
  });
}

/** Dependencies added by `buildApp`. */
type AppExtensions =
  | 'topics'
  | 'personalData'
  | 'transport'
  | 'documentHeaders'
  | 'nextCollection'
  | 'requestBackfill'
  | 'keysOf';
type Deps = Omit<RouteParts, AppExtensions> & { pages: Pages; requests: RequestMetrics | null };

const BODY_LIMIT = 256 * 1024;

/** All routes, with one error format. */
export function buildApp(deps: Deps): FastifyInstance {
  const { config, report, mail, live, auth, apiKeys, requests, scheduler, pages } = deps;
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    ...REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true },
    ...earlyErrors,
  });
  const transport = transportHeaders(config.PUBLIC_URL);
  boundConnections(app, config);
  allowEmptyJson(app);
  serveBeforeRouter(app, auth.callers.known, requests);
  rejectDuplicateHost(app);
  requests?.mount(app);
  attachCallers(app, auth.callers);
  cacheResponses(app, config.CDN_TAGS);
  const always = { 'x-content-type-options': 'nosniff', ...transport };
  // Prepared buffers have their own headers and bypass this hook.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers({ 'x-request-id': request.id, ...always });
    rejectOtherHosts(reply);
    done(null, payload);
  });
  compressTexts(app);

  handleErrors(app, report, (path) => (path.startsWith('/api/auth/') ? 'authentication' : 'system'));

  const parts: RouteParts = {
    ...deps,
    topics: TOPICS,
    personalData: PERSONAL_DATA,
    transport,
    documentHeaders: sharedHeaders('/api/openapi.json', config.CDN_TAGS),
    nextCollection: (at) => scheduler.nextRun(config.FULL_COLLECTION_CRON, at),
    requestBackfill: (coinId) => scheduler.send('market.backfill', { coinId }, { key: coinId, priority: 500 }),
    keysOf: (userId) => listForAdmin(apiKeys, userId),
  };
  for (const { routes } of FEATURES) routes?.(app, parts);
  if (deps.mode === 'demo') demoMailRoute(app, mail);
  streamRoute(app, live, TOPICS, (ticket) => redeemTicket(auth.ctx, ticket), boundStreams(config));
  pages.mount(app);
  return app;
}
