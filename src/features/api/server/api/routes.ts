import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Admission, ApiKeys } from '#features/api/server/api-keys/service.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';
import { createReadModel, type ReadModel, writePrepared } from '#kernel/read-model.ts';
import { handleBeforeRouter } from '#kernel/serve.ts';
import type { ApiScope, Topic } from '#shared/contract.ts';

import type { ApiCall } from './call.ts';
import { csvText, parseFields, pickFields } from './http/csv.ts';
import { apiInput, CORS, HEADERS, negotiateFormat, PREFLIGHT } from './http/request.ts';
import { apiStream, sendText, toShape } from './http/response.ts';
import { openApiRoute } from './openapi/document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

type Deps = {
  apiKeys: ApiKeys;
  live: Live;
  topics: readonly Topic[];
  publicUrl: () => string;
  /** Of the OpenAPI document. */
  documentHeaders: Record<string, string>;
  onInvalid: (error: unknown) => void;
  /** Notifies of changes to the dashboard. */
  onChange: (handler: () => Promise<void>) => void;
};

const withCors = (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
  reply.headers(CORS);
  done();
};

/** Unauthorised calls are refused before the body is read. */
const beforeBody = (gate: ApiKeys['gate'], scope: ApiScope) => async (request: FastifyRequest) => {
  await gate.identify(request.headers, scope);
};

/** Anything but a refusal of the request is our fault. */
const isOurs = (error: unknown) => !(error instanceof AppError) || error.status >= 500;

/** The response to a call without a query, the same for every key. */
function addPlainResponses({ endpoint, answerPlain }: ApiCall, { onChange, onInvalid }: Deps): ReadModel<unknown> {
  const { 'cache-control': cacheControl, ...headers } = HEADERS;
  const model = createReadModel<unknown>({ schema: endpoint.reply, cacheControl, headers, onInvalid });
  const publish = () => model.publish(() => answerPlain?.());
  void publish();
  onChange(publish);
  return model;
}

/** Mounts the public API: each call is counted before it is answered, and refunded when it fails through our fault. */
export function apiRoutes(app: FastifyInstance, calls: readonly ApiCall[], deps: Deps): void {
  const { apiKeys, live, topics } = deps;
  const { gate } = apiKeys;

  for (const call of calls) {
    const { endpoint } = call;
    const plain = call.answerPlain && addPlainResponses(call, deps);
    if (plain) {
      handleBeforeRouter(app, endpoint.path, (request, response) => {
        const { accept } = request.headers;
        if (accept !== undefined && accept !== '*/*' && accept !== 'application/json') return false;
        const prepared = plain.current();
        if (!prepared) return false;
        const admission = gate.admitNow(request.headers, endpoint.scope);
        if (!admission) return false;
        writePrepared(request, response, prepared, 200, admission.headers);
        return true;
      });
    }
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      onRequest: endpoint.body ? [withCors, beforeBody(gate, endpoint.scope)] : withCors,
      handler: async (request, reply) => {
        const admission = await gate.admit(request.headers, endpoint.scope);
        reply.headers(admission.headers);
        try {
          return await handleCall(call, plain, admission, request, reply);
        } catch (error) {
          if (isOurs(error)) admission.giveBack();
          throw error;
        }
      },
    });
  }
  apiStream(app, apiKeys, live, topics, withCors);
  openApiRoute(app, calls, deps);

  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'],
    url: '/api/v1/*',
    onRequest: withCors,
    handler: () => {
      throw new AppError('not_found', 'Unknown endpoint');
    },
  });
  for (const url of ['/api/v1/*', '/api/openapi.json'])
    app.options(url, (_request, reply) => reply.headers(PREFLIGHT).code(204).send());
}

async function handleCall(
  call: ApiCall,
  plain: ReadModel<unknown> | undefined,
  { caller, headers }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { endpoint, list } = call;
  const { params, query, body } = apiInput(call, request);
  const form = negotiateFormat(request.headers.accept, query['format'], list !== undefined);
  if (plain && form === 'json' && Object.keys(request.query as object).length === 0) {
    const prepared = await plain.ready();
    if (!prepared)
      throw new AppError('unavailable', 'Initial data is still being collected. Please try again in a moment.');
    reply.hijack();
    writePrepared(request.raw, reply.raw, prepared, 200, headers);
    return reply;
  }
  const shape = toShape(endpoint.reply);
  const { fields } = query;
  const choice = typeof fields === 'string' ? parseFields(fields, shape) : null;
  const whole = endpoint.reply.parse(await call.answer({ params, query, body, caller })) as Record<string, unknown>;
  const answer = choice ? (pickFields(whole, choice) as Record<string, unknown>) : whole;
  reply.headers(HEADERS);
  const { nextCursor } = whole;
  if (typeof nextCursor === 'string') reply.header('link', nextLink(request.url, nextCursor));
  if (form === 'csv' && list !== undefined) {
    const rows = (answer[list] ?? []) as unknown[];
    return sendText(request, reply, CSV_TYPE, await csvText(list, shape, rows, choice));
  }
  return sendText(request, reply, JSON_TYPE, JSON.stringify(answer));
}

function nextLink(address: string, cursor: string): string {
  const url = new URL(address, 'http://localhost');
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
