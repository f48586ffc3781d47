import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { API_KEY_PREFIX } from '#shared/contract.ts';

import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { Caller } from './route.ts';
import { RouteMetrics } from './route-figures.ts';
import { findTracer, type Span } from './tracing.ts';

export type RequestMetrics = {
  /** The figures of a route, created on first use. */
  forRoute: (method: string, route: string) => RouteMetrics;
  all: () => readonly RouteMetrics[];
  /** Bytes a connection has sent so far; 0 where that is unknown. */
  bytesSent: (request: IncomingMessage) => number;
  /** A prepared buffer was written without the router. */
  recordPrepared: (
    figures: RouteMetrics,
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
    figures?: ReadonlyMap<string, RouteMetrics>;
    /** Its Authorization header belongs to no account. */
    ownToken?: boolean;
  }
  interface FastifyRequest {
    sentBefore: number;
    span: Span | null;
  }
}

type RequestLogLine = { method: string; route: string; status: number; ms: number; bytes: number; requestId: string };

/** Built files have a hash in their names: as separate routes they would grow without bound. */
const toRoute = (url: string) => (url.startsWith('/assets/') ? '/assets/*' : url);

/** The kind of caller, without anything that identifies it. */
function callerKind(
  caller: Caller | null,
  { headers }: Pick<IncomingMessage, 'headers'>,
): 'anonymous' | 'account' | 'key' {
  if (caller) return caller.sessionId === null ? 'key' : 'account';
  const { authorization = '', 'x-api-key': key } = headers;
  return authorization.startsWith(`Bearer ${API_KEY_PREFIX}`) || String(key ?? '').startsWith(API_KEY_PREFIX)
    ? 'key'
    : 'anonymous';
}

const readTraceparent = ({ headers }: Pick<IncomingMessage, 'headers'>) => headers['traceparent']?.toString();

/**
 * Counts, logs and traces requests. With neither log nor traces, a request costs two clock reads and a few additions.
 */
export function createRequestMetrics(config: Pick<Config, 'REQUEST_LOG'>, log: Log): RequestMetrics {
  const routes = new Map<string, RouteMetrics>();
  const mode = config.REQUEST_LOG;
  const lines = mode === 'off' ? null : log.child({}, { level: 'info' });
  const isLogged = (status: number) => mode === 'all' || (mode === 'errors' && status >= 500);

  function of(method: string, route: string): RouteMetrics {
    const name = `${method} ${route}`;
    const figures = routes.get(name) ?? new RouteMetrics(method, route);
    routes.set(name, figures);
    return figures;
  }
  const unmatched = of('any', 'unmatched');

  function writeLine(line: RequestLogLine, caller: Caller | null, request: Pick<IncomingMessage, 'headers'>): void {
    lines?.info({ ...line, ms: Math.round(line.ms * 1000) / 1000, caller: callerKind(caller, request) }, 'request');
  }
  const sent = ({ socket }: IncomingMessage): number => (lines ? (socket.bytesWritten ?? 0) : 0);

  function findFigures(request: FastifyRequest): RouteMetrics {
    return request.routeOptions.config.figures?.get(request.method) ?? unmatched;
  }

  function mountTraces(app: FastifyInstance): void {
    const tracer = findTracer();
    if (!tracer) return;
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, route } = findFigures(request);
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'meridian.request_id': request.id,
      };
      request.span = tracer.begin(`${method} ${route}`, 'server', attributes, readTraceparent(request));
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
    forRoute: of,
    all: () => [...routes.values()],
    bytesSent: sent,
    recordPrepared(figures, request, response, caller, at, sentBefore) {
      const ms = performance.now() - at;
      const status = response.statusCode;
      figures.add(status, ms / 1000);
      const tracer = findTracer();
      if (tracer) {
        const { method, route } = figures;
        const attributes = { 'http.request.method': method, 'http.route': route };
        tracer
          .begin(`${method} ${route}`, 'server', attributes, readTraceparent(request))
          .end({ 'http.response.status_code': status });
      }
      if (!isLogged(status)) return;
      const { method, route } = figures;
      const bytes = sent(request) - sentBefore;
      writeLine({ requestId: randomUUID(), method, route, status, ms, bytes }, caller, request);
    },
    mount(app) {
      app.decorateRequest('sentBefore', 0);
      app.decorateRequest('span', null);
      app.addHook('onRoute', (options) => {
        const methods = [options.method].flat();
        const figures = new Map(methods.map((method) => [method, of(method, toRoute(options.url))]));
        options.config = { ...options.config, figures };
      });
      if (lines)
        app.addHook('onRequest', (request, _reply, done) => {
          request.sentBefore = sent(request.raw);
          done();
        });
      mountTraces(app);
      app.addHook('onResponse', (request, reply, done) => {
        const figures = findFigures(request);
        const status = reply.raw.statusCode;
        figures.add(status, reply.elapsedTime / 1000);
        if (isLogged(status)) {
          const { route } = figures;
          const bytes = sent(request.raw) - request.sentBefore;
          const line = { method: request.method, route, status, ms: reply.elapsedTime, bytes, requestId: request.id };
          writeLine(line, request.caller, request);
        }
        done();
      });
    },
  };
}
