import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Endpoint } from '#shared/contract.ts';

import { AppError } from './errors.ts';
import { type Prepared, type ReadModel, writePrepared } from './read-model.ts';
import { type Caller, checkAccess } from './route.ts';

type Ready = Pick<ReadModel<never>, 'current'>;

/** For a request that wants something else than the prepared buffer; undefined when it does not. */
type Instead = (query: unknown, caller: Caller | null) => Promise<Prepared> | undefined;

/** Prepared answers by address, for those who ask without a query. */
const direct = new WeakMap<FastifyInstance, Map<string, (caller: Caller | null) => Prepared | null>>();

/** Answers at once and says so; else the router does. */
type Early = (request: IncomingMessage, response: ServerResponse) => boolean;

const early = new WeakMap<FastifyInstance, Map<string, Early>>();

/** Lets a plain GET of this address be answered before the router by someone who decides for himself. */
export function answerEarly(app: FastifyInstance, path: string, answer: Early): void {
  early.get(app)?.set(path, answer);
}

/** Who a header stands for, from memory: undefined when that has to be looked up. */
type KnownCaller = (authorization: string) => Caller | undefined;

/**
 * Answers the plainest public reads before the router looks at them: routing would cost more than writing the buffer.
 * Every other request goes its usual way, and so does a caller who is not in memory.
 */
export function answerDirectly(app: FastifyInstance, knownCaller: KnownCaller): void {
  const answers = new Map<string, (caller: Caller | null) => Prepared | null>();
  const own = new Map<string, Early>();
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
        const answer = isPlain ? answers.get(request.url ?? '') : undefined;
        if (isPlain && !answer && own.get(request.url ?? '')?.(request, response)) return;
        const { authorization } = request.headers;
        const caller = answer && authorization !== undefined ? knownCaller(authorization) : null;
        const prepared = caller === undefined ? null : answer?.(caller);
        if (prepared) writePrepared(request, response, prepared);
        else routed(request, response);
      });
    }
    done();
  });
}

/** Mounts a public read: a request picks a prepared buffer and writes it, whatever its query string says unless `instead` knows it. */
export function serve(
  app: FastifyInstance,
  endpoint: Endpoint,
  modelFor: Ready | ((caller: Caller | null) => Ready),
  instead?: Instead,
): void {
  const modelOf = (caller: Caller | null) => (typeof modelFor === 'function' ? modelFor(caller) : modelFor);
  if (endpoint.access === 'public') direct.get(app)?.set(endpoint.path, (caller) => modelOf(caller).current());
  app.route({
    method: ['GET', 'HEAD'],
    url: endpoint.path,
    handler: (request, reply) => {
      checkAccess(endpoint.access, request.caller);
      const other = instead?.(request.query, request.caller);
      if (other)
        return other.then((prepared) => {
          reply.hijack();
          writePrepared(request.raw, reply.raw, prepared);
        });
      const prepared = modelOf(request.caller).current();
      if (!prepared)
        throw new AppError('unavailable', 'The first data are being collected. Please try again in a moment.');
      reply.hijack();
      writePrepared(request.raw, reply.raw, prepared);
      return undefined;
    },
  });
}
