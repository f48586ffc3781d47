import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Endpoint } from '#shared/contract.ts';

import { AppError } from './errors.ts';
import { type Prepared, type ReadModel, writePrepared } from './read-model.ts';
import type { RequestMetrics } from './request-watch.ts';
import { type Caller, checkAccess } from './route.ts';
import type { RouteMetrics } from './route-figures.ts';
import { PRIVATE } from './shared-cache.ts';

/** A request with a token, even an unknown one, gets an individual response. */
const callerHeaders = (authorization: string | undefined) => (authorization === undefined ? {} : PRIVATE);

type PreparedSource = Pick<ReadModel<never>, 'current' | 'ready'>;

/** For a request that needs something other than the prepared buffer; undefined otherwise. */
type Override = (query: unknown, caller: Caller | null) => Promise<Prepared> | undefined;

/** Prepared responses by address, for requests without a query. */
type DirectRoute = { answer: (caller: Caller | null) => Prepared | null; figures: RouteMetrics | undefined };
const directRoutes = new WeakMap<FastifyInstance, Map<string, DirectRoute>>();

/** Returns true when it has responded; otherwise the router does. */
type EarlyHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

const earlyRoutes = new WeakMap<
  FastifyInstance,
  Map<string, { answer: EarlyHandler; figures: RouteMetrics | undefined }>
>();

const watches = new WeakMap<FastifyInstance, RequestMetrics>();

/** Lets a handler answer a plain GET of this address before the router. */
export function handleBeforeRouter(app: FastifyInstance, path: string, answer: EarlyHandler): void {
  earlyRoutes.get(app)?.set(path, { answer, figures: watches.get(app)?.forRoute('GET', path) });
}

/** Account of a header from the cache; undefined when it must be looked up. */
type CallerLookup = (authorization: string) => Caller | undefined;

/**
 * Answers the simplest public reads before the router: routing would cost more than writing the buffer. All other
 * requests, and callers not in the cache, are routed as usual.
 */
export function serveBeforeRouter(
  app: FastifyInstance,
  lookUpCaller: CallerLookup,
  watch: RequestMetrics | null = null,
): void {
  const answers = new Map<string, DirectRoute>();
  const own = new Map<string, { answer: EarlyHandler; figures: RouteMetrics | undefined }>();
  if (watch) watches.set(app, watch);
  directRoutes.set(app, answers);
  earlyRoutes.set(app, own);
  app.addHook('onReady', (done) => {
    const [routed] = app.server.listeners('request') as ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => void)[];
    if (routed) {
      app.server.removeListener('request', routed);
      app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const isPlain = request.method === 'GET' && app.server.listening;
        const found = isPlain ? answers.get(request.url ?? '') : undefined;
        const other = isPlain && !found ? own.get(request.url ?? '') : undefined;
        if (!found && !other) return routed(request, response);
        const at = watch ? performance.now() : 0;
        const sent = watch ? watch.bytesSent(request) : 0;
        if (other) {
          if (!other.answer(request, response)) return routed(request, response);
          if (watch && other.figures) watch.recordPrepared(other.figures, request, response, null, at, sent);
          return undefined;
        }
        const { authorization } = request.headers;
        const caller = found && authorization !== undefined ? lookUpCaller(authorization) : null;
        const prepared = caller === undefined ? null : found?.answer(caller);
        if (!found || caller === undefined || !prepared) return routed(request, response);
        writePrepared(request, response, prepared, 200, callerHeaders(authorization));
        if (watch && found.figures) watch.recordPrepared(found.figures, request, response, caller, at, sent);
        return undefined;
      });
    }
    done();
  });
}

/** Mounts a public read: a request writes a prepared buffer, whatever its query string, unless `instead` handles it. */
export function serve(
  app: FastifyInstance,
  endpoint: Endpoint,
  modelFor: PreparedSource | ((caller: Caller | null) => PreparedSource),
  override?: Override,
): void {
  const selectModel = (caller: Caller | null) => (typeof modelFor === 'function' ? modelFor(caller) : modelFor);
  if (endpoint.access === 'public')
    directRoutes.get(app)?.set(endpoint.path, {
      answer: (caller) => selectModel(caller).current(),
      figures: watches.get(app)?.forRoute('GET', endpoint.path),
    });
  app.route({
    method: ['GET', 'HEAD'],
    url: endpoint.path,
    async handler(request, reply) {
      checkAccess(endpoint.access, request.caller);
      const model = selectModel(request.caller);
      const prepared = (await override?.(request.query, request.caller)) ?? model.current() ?? (await model.ready());
      if (!prepared)
        throw new AppError('unavailable', 'Initial data is still being collected. Please try again in a moment.');
      reply.hijack();
      writePrepared(request.raw, reply.raw, prepared, 200, callerHeaders(request.headers.authorization));
    },
  });
}
