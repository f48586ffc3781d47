import type { FastifyInstance } from 'fastify';
import { z } from 'zod/mini';

import { readOpenApi, readStream } from '#features/api/contract/api.ts';
import { AppError } from '#kernel/errors.ts';
import { createReadModel } from '#kernel/read-model.ts';
import { serve } from '#kernel/serve.ts';
import { BRAND } from '#shared/brand.ts';
import { API_SCOPES } from '#shared/contract.ts';

import type { ApiCall } from '../call.ts';
import { CORS } from '../http/request.ts';
import {
  bodyReference,
  buildSchemas,
  PARAMETERS,
  parameterShape,
  replyReference,
  schemaName,
  TAGS,
} from './schemas.ts';

type Node = Record<string, unknown>;

const reference = (part: string, name: string) => ({ $ref: `#/components/${part}/${name}` });
const text = { schema: { type: 'string' } };

const HEADERS: Node = {
  ETag: { description: 'Version of this response, for use in If-None-Match', ...text },
  Link: { description: 'URL of the next page with rel="next"; absent on the last page', ...text },
  'RateLimit-Policy': { description: 'Rate limits of the plan, by name: calls (q) per window in seconds (w)', ...text },
  RateLimit: { description: 'Calls remaining (r) for each limit and seconds until it resets (t)', ...text },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'Authentication scheme: Bearer', ...text },
};
const LIMITS = {
  'RateLimit-Policy': reference('headers', 'RateLimit-Policy'),
  RateLimit: reference('headers', 'RateLimit'),
};

const refusal = (description: string, headers: Node) => ({
  description,
  headers,
  content: { 'application/json': { schema: reference('schemas', 'ApiError') } },
});
const RETRY = { 'Retry-After': reference('headers', 'Retry-After') };
const RESPONSES: Record<string, Node> = {
  '304': {
    description: 'Not modified since the version in If-None-Match. Counts as one call.',
    headers: { ETag: reference('headers', 'ETag'), ...LIMITS },
  },
  '400': refusal('Invalid parameter, field or request body; `error` gives the details.', LIMITS),
  '401': refusal('Missing or invalid API key.', {
    'WWW-Authenticate': reference('headers', 'WWW-Authenticate'),
  }),
  '403': refusal('The plan or the scopes of the API key do not allow this request.', LIMITS),
  '404': refusal('Not found, or no data for the requested time.', LIMITS),
  '406': refusal('None of the media types in the Accept header is available.', LIMITS),
  '409': refusal('Conflict with stored data; `error` gives the reason. Nothing was saved.', LIMITS),
  '413': refusal('Request body too large.', {}),
  '429': refusal('Daily quota or per-second limit exceeded. Not counted against the quota.', { ...LIMITS, ...RETRY }),
  '500': refusal('Internal server error. Not counted against the quota.', {}),
  '503': refusal('Temporarily unavailable. Not counted against the quota.', RETRY),
};
const errorResponses = (...statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, reference('responses', `E${status}`)]));

const isRequired = (schema: z.ZodMiniType) =>
  !(schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault);

function toParameters({ endpoint, list }: Pick<ApiCall, 'endpoint' | 'list'>): Node[] {
  const of = (place: 'path' | 'query', shape: Record<string, z.ZodMiniType> = {}) =>
    Object.entries(shape).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || isRequired(schema),
      description: PARAMETERS[name] ?? name,
      schema: parameterShape(schema),
      ...(name === 'fields' && list !== undefined ? { example: list } : {}),
    }));
  const objectShape = (schema: z.ZodMiniObject | undefined) =>
    schema?.shape as Record<string, z.ZodMiniType> | undefined;
  return [...of('path', objectShape(endpoint.params)), ...of('query', objectShape(endpoint.query))];
}

const PLANS = { public: 'Pro', free: 'Pro', pro: 'Pro', premium: 'Premium+', admin: 'Admin' } as const;

function toOperation(call: ApiCall, example: unknown): Node {
  const { endpoint, tag, summary, about, list } = call;
  const isRead = endpoint.method === 'GET';
  const errors = isRead
    ? ['304', '400', '401', '403', '404', '406', '429', '500', '503']
    : ['400', '401', '403', '409', '413', '429', '500', '503'];
  return {
    operationId: schemaName(endpoint),
    tags: [tag],
    summary,
    description: `${about}\n\nRequires the \`${endpoint.scope}\` scope. Available from ${PLANS[endpoint.access]}.`,
    'x-scope': endpoint.scope,
    'x-plan': PLANS[endpoint.access],
    parameters: toParameters(call),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodyReference(endpoint) } },
          },
        }
      : {}),
    responses: {
      '200': {
        description: summary,
        headers: {
          ETag: reference('headers', 'ETag'),
          ...LIMITS,
          ...(list === undefined ? {} : { Link: reference('headers', 'Link') }),
        },
        content: {
          'application/json': { schema: replyReference(call), ...(example === undefined ? {} : { example }) },
          ...(list === undefined
            ? {}
            : {
                'text/csv': {
                  schema: {
                    type: 'string',
                    description: `Rows of \`${list}\`, one column per leaf field, named as in \`fields\``,
                  },
                },
              }),
        },
      },
      ...errorResponses(...errors),
    },
  };
}

const streamOperation = (): Node => ({
  operationId: schemaName(readStream),
  tags: ['Market'],
  summary: 'Live updates',
  description:
    'Server-sent events for the topics in `topics`; all public topics by default. Each connection counts as one call and closes after 15 minutes; reconnect with Last-Event-ID to resume.\n\nRequires the `market` scope, and the `alerts` scope for the `alerts` topic. Available from Pro.',
  'x-scope': readStream.scope,
  'x-plan': PLANS[readStream.access],
  parameters: toParameters({ endpoint: readStream }),
  responses: {
    '200': {
      description: 'Event stream',
      headers: LIMITS,
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...errorResponses('400', '401', '403', '429', '500', '503'),
  },
});

/** Version of the API, independent of the product version. */
const VERSION = '1.0.0';

/** The OpenAPI 3.1 document of the calls; `examples` are responses by path. */
export function buildOpenApi(
  calls: readonly ApiCall[],
  server: string,
  examples: ReadonlyMap<string, unknown> = new Map(),
): Node {
  const paths: Record<string, Record<string, Node>> = {};
  const add = (path: string, method: string, operation: Node) => {
    const name = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[name] = { ...paths[name], [method.toLowerCase()]: operation };
  };
  for (const call of calls)
    add(call.endpoint.path, call.endpoint.method, toOperation(call, examples.get(call.endpoint.path)));
  add(readStream.path, readStream.method, streamOperation());
  return {
    openapi: '3.1.0',
    info: {
      title: `${BRAND.name} API`,
      version: VERSION,
      description:
        'Programmatic access to everything shown in the app. `meta` gives the source and age of every figure. Unless noted otherwise, amounts are in USD and shares in percent. Times are ISO 8601 in UTC. Send the API key in the `X-API-Key` header or as `Authorization: Bearer`.',
    },
    servers: [{ url: server }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: `API key created on the API Keys page. Available scopes: ${API_SCOPES.join(', ')}`,
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, sent as `Authorization: Bearer`' },
      },
      headers: HEADERS,
      responses: Object.fromEntries(Object.entries(RESPONSES).map(([status, response]) => [`E${status}`, response])),
      schemas: buildSchemas(calls),
    },
  };
}

/** Only the first row of each list. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, short(each)]));
}

/** Current responses of calls that are the same for everyone; one without data yet has no example. */
async function readExamples(calls: readonly ApiCall[]): Promise<Map<string, unknown>> {
  const examples = new Map<string, unknown>();
  for (const { endpoint, answerPlain } of calls) {
    if (!answerPlain) continue;
    try {
      examples.set(endpoint.path, short(endpoint.reply.parse(await answerPlain())));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return examples;
}

type Deps = {
  onInvalid: (error: unknown) => void;
  publicUrl: () => string;
  documentHeaders: Record<string, string>;
};

/** The document, created on first request. */
export function openApiRoute(app: FastifyInstance, calls: readonly ApiCall[], deps: Deps): void {
  const { onInvalid, publicUrl, documentHeaders } = deps;
  const model = createReadModel<string>({ headers: { ...CORS, ...documentHeaders }, onInvalid });
  void model.publish(async () => JSON.stringify(buildOpenApi(calls, publicUrl(), await readExamples(calls))));
  serve(app, readOpenApi, model);
}
