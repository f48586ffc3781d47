import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { API_KEY_PREFIX } from '#shared/contract.ts';

import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { Caller } from './route.ts';
import { RouteFigures } from './route-figures.ts';
import { findTracer, type Span } from './tracing.ts';

export type RequestWatch = {
  /** The figures of a route, created on first use. */
  of: (method: string, route: string) => RouteFigures;
  all: () => readonly RouteFigures[];
  /** Bytes a connection has sent so far; 0 where that is unknown. */
  sent: (request: IncomingMessage) => number;
  /** A prepared buffer was written without the router. */
  wrote: (
    figures: RouteFigures,
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | null,
    at: number,
    sentBefore: number,
  ) => void;
  /** Watches every response of the router. Call it before any route is mounted. */
  mount: (app: FastifyInstance) => void;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** By method. */
    figures?: ReadonlyMap<string, RouteFigures>;
    /** Its Authorization header belongs to no account. */
    ownToken?: boolean;
  }
  interface FastifyRequest {
    sentBefore: number;
    span: Span | null;
  }
}

type Line = { method: string; route: string; status: number; ms: number; bytes: number; requestId: string };

/** Built files have a hash in their names: as separate routes they would grow without bound. */
const routeOf = (url: string) => (url.startsWith('/assets/') ? '/assets/*' : url);

/** The kind of caller, without anything that identifies it. */
function kindOf(caller: Caller | null, { headers }: Pick<IncomingMessage, 'headers'>): 'anonymous' | 'account' | 'key' {
  if (caller) return caller.sessionId === null ? 'key' : 'account';
  const { authorization = '', 'x-api-key': key } = headers;
  return authorization.startsWith(`Bearer ${API_KEY_PREFIX}`) || String(key ?? '').startsWith(API_KEY_PREFIX)
    ? 'key'
    : 'anonymous';
}

const traceparentOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => headers['traceparent']?.toString();

/**
 * Counts, logs and traces requests. With neither log nor traces, a request costs two clock reads and a few additions.
 */
export function createRequestWatch(config: Pick<Config, 'REQUEST_LOG'>, log: Log): RequestWatch {
  const routes = new Map<string, RouteFigures>();
  const mode = config.REQUEST_LOG;
  const lines = mode === 'off' ? null : log.child({}, { level: 'info' });
  const isTold = (status: number) => mode === 'all' || (mode === 'errors' && status >= 500);

  function of(method: string, route: string): RouteFigures {
    const name = `${method} ${route}`;
    const figures = routes.get(name) ?? new RouteFigures(method, route);
    routes.set(name, figures);
    return figures;
  }
  const unmatched = of('any', 'unmatched');

  function tell(line: Line, caller: Caller | null, request: Pick<IncomingMessage, 'headers'>): void {
    lines?.info({ ...line, ms: Math.round(line.ms * 1000) / 1000, caller: kindOf(caller, request) }, 'request');
  }
  const sent = ({ socket }: IncomingMessage): number => (lines ? (socket.bytesWritten ?? 0) : 0);

  function figuresOf(request: FastifyRequest): RouteFigures {
    return request.routeOptions.config.figures?.get(request.method) ?? unmatched;
  }

  function mountTraces(app: FastifyInstance): void {
    const tracer = findTracer();
    if (!tracer) return;
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, route } = figuresOf(request);
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'meridian.request_id': request.id,
      };
      request.span = tracer.begin(`${method} ${route}`, 'server', attributes, traceparentOf(request));
      request.span.enter(done);
    });
    // The body is read in a separate async context.
    app.addHook('preValidation', (request, _reply, done) => (request.span ? request.span.enter(done) : done()));
    app.addHook('onResponse', (request, reply, done) => {
      const status = reply.raw.statusCode;
      request.span?.end({ 'http.response.status_code': status }, status >= 500 ? `${status}` : null);
      done();
    });
  }

  return {
    of,
    all: () => [...routes.values()],
    sent,
    wrote(figures, request, response, caller, at, sentBefore) {
      const ms = performance.now() - at;
      const status = response.statusCode;
      figures.add(status, ms / 1000);
      const tracer = findTracer();
      if (tracer) {
        const { method, route } = figures;
        const attributes = { 'http.request.method': method, 'http.route': route };
        tracer
          .begin(`${method} ${route}`, 'server', attributes, traceparentOf(request))
          .end({ 'http.response.status_code': status });
      }
      if (!isTold(status)) return;
      const { method, route } = figures;
      const bytes = sent(request) - sentBefore;
      tell({ requestId: randomUUID(), method, route, status, ms, bytes }, caller, request);
    },
    mount(app) {
      app.decorateRequest('sentBefore', 0);
      app.decorateRequest('span', null);
      app.addHook('onRoute', (options) => {
        const methods = [options.method].flat();
        const figures = new Map(methods.map((method) => [method, of(method, routeOf(options.url))]));
        options.config = { ...options.config, figures };
      });
      if (lines)
        app.addHook('onRequest', (request, _reply, done) => {
          request.sentBefore = sent(request.raw);
          done();
        });
      mountTraces(app);
      app.addHook('onResponse', (request, reply, done) => {
        const figures = figuresOf(request);
        const status = reply.raw.statusCode;
        figures.add(status, reply.elapsedTime / 1000);
        if (isTold(status)) {
          const { route } = figures;
          const bytes = sent(request.raw) - request.sentBefore;
          const line = { method: request.method, route, status, ms: reply.elapsedTime, bytes, requestId: request.id };
          tell(line, request.caller, request);
        }
        done();
      });
    },
  };
}
