import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Endpoint } from '#shared/contract.ts';

import { AppError } from './errors.ts';
import { type Prepared, type ReadModel, writePrepared } from './read-model.ts';
import type { RequestWatch } from './request-watch.ts';
import { type Caller, checkAccess } from './route.ts';
import type { RouteFigures } from './route-figures.ts';
import { PRIVATE } from './shared-cache.ts';

/** A request with a token, even an unknown one, gets an individual response. */
const ofCaller = (authorization: string | undefined) => (authorization === undefined ? {} : PRIVATE);

type Ready = Pick<ReadModel<never>, 'current' | 'ready'>;

/** For a request that needs something other than the prepared buffer; undefined otherwise. */
type Instead = (query: unknown, caller: Caller | null) => Promise<Prepared> | undefined;

/** Prepared responses by address, for requests without a query. */
type Direct = { answer: (caller: Caller | null) => Prepared | null; figures: RouteFigures | undefined };
const direct = new WeakMap<FastifyInstance, Map<string, Direct>>();

/** Returns true when it has responded; otherwise the router does. */
type Early = (request: IncomingMessage, response: ServerResponse) => boolean;

const early = new WeakMap<FastifyInstance, Map<string, { answer: Early; figures: RouteFigures | undefined }>>();

const watches = new WeakMap<FastifyInstance, RequestWatch>();

/** Lets a handler answer a plain GET of this address before the router. */
export function answerEarly(app: FastifyInstance, path: string, answer: Early): void {
  early.get(app)?.set(path, { answer, figures: watches.get(app)?.of('GET', path) });
}

/** Account of a header from the cache; undefined when it must be looked up. */
type KnownCaller = (authorization: string) => Caller | undefined;

/**
 * Answers the simplest public reads before the router: routing would cost more than writing the buffer. All other
 * requests, and callers not in the cache, are routed as usual.
 */
export function answerDirectly(
  app: FastifyInstance,
  knownCaller: KnownCaller,
  watch: RequestWatch | null = null,
): void {
  const answers = new Map<string, Direct>();
  const own = new Map<string, { answer: Early; figures: RouteFigures | undefined }>();
  if (watch) watches.set(app, watch);
  direct.set(app, answers);
  early.set(app, own);
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
        const sent = watch ? watch.sent(request) : 0;
        if (other) {
          if (!other.answer(request, response)) return routed(request, response);
          if (watch && other.figures) watch.wrote(other.figures, request, response, null, at, sent);
          return undefined;
        }
        const { authorization } = request.headers;
        const caller = found && authorization !== undefined ? knownCaller(authorization) : null;
        const prepared = caller === undefined ? null : found?.answer(caller);
        if (!found || caller === undefined || !prepared) return routed(request, response);
        writePrepared(request, response, prepared, 200, ofCaller(authorization));
        if (watch && found.figures) watch.wrote(found.figures, request, response, caller, at, sent);
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
  modelFor: Ready | ((caller: Caller | null) => Ready),
  instead?: Instead,
): void {
  const modelOf = (caller: Caller | null) => (typeof modelFor === 'function' ? modelFor(caller) : modelFor);
  if (endpoint.access === 'public')
    direct.get(app)?.set(endpoint.path, {
      answer: (caller) => modelOf(caller).current(),
      figures: watches.get(app)?.of('GET', endpoint.path),
    });
  app.route({
    method: ['GET', 'HEAD'],
    url: endpoint.path,
    async handler(request, reply) {
      checkAccess(endpoint.access, request.caller);
      const model = modelOf(request.caller);
      const prepared = (await instead?.(request.query, request.caller)) ?? model.current() ?? (await model.ready());
      if (!prepared)
        throw new AppError('unavailable', 'Initial data is still being collected. Please try again in a moment.');
      reply.hijack();
      writePrepared(request.raw, reply.raw, prepared, 200, ofCaller(request.headers.authorization));
    },
  });
}
