import { z } from 'zod/mini';
import { readStream } from '#features/api/contract/api.ts';
import { BRAND } from '#shared/brand.ts';
import { API_SCOPES } from '#shared/contract.ts';

import type { ApiCall } from '../call.ts';
import { bodyReference, nameOf, PARAMETERS, parameterShape, replyReference, schemasOf, TAGS } from './schemas.ts';

type Node = Record<string, unknown>;

const reference = (part: string, name: string) => ({ $ref: `#/components/${part}/${name}` });
const text = { schema: { type: 'string' } };

const HEADERS: Node = {
  ETag: { description: 'The version of this answer, for If-None-Match', ...text },
  Link: { description: 'The address of the next page, as rel="next"; absent on the last', ...text },
  'RateLimit-Policy': { description: 'The limits of the plan: calls (q) in a window of seconds (w), by name', ...text },
  RateLimit: { description: 'What is left (r) of each limit, and in how many seconds it is whole again (t)', ...text },
  'Retry-After': { description: 'Seconds until it may be tried again', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to sign in: Bearer', ...text },
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
    description: 'Nothing has changed since the version that If-None-Match names. It costs one call.',
    headers: { ETag: reference('headers', 'ETag'), ...LIMITS },
  },
  '400': refusal('A parameter, a field or the body is not as this document says; `error` names it.', LIMITS),
  '401': refusal('There is no API key, or it is not valid.', {
    'WWW-Authenticate': reference('headers', 'WWW-Authenticate'),
  }),
  '403': refusal('The plan or the scopes of the key do not reach.', LIMITS),
  '404': refusal('There is nothing of that name or of that moment.', LIMITS),
  '406': refusal('The Accept header names nothing that this call gives.', LIMITS),
  '409': refusal('It does not fit what is stored; `error` says why. Nothing was stored.', LIMITS),
  '413': refusal('The request is too large.', {}),
  '429': refusal('The calls of the day or of the second are used up. It costs nothing.', { ...LIMITS, ...RETRY }),
  '500': refusal('Something went wrong on our side. It costs nothing.', {}),
  '503': refusal('Not available at the moment. It costs nothing.', RETRY),
};
const errorsOf = (...statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, reference('responses', `E${status}`)]));

const isRequired = (schema: z.ZodMiniType) =>
  !(schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault);

function parametersOf({ endpoint, list }: Pick<ApiCall, 'endpoint' | 'list'>): Node[] {
  const of = (place: 'path' | 'query', shape: Record<string, z.ZodMiniType> = {}) =>
    Object.entries(shape).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || isRequired(schema),
      description: PARAMETERS[name] ?? name,
      schema: parameterShape(schema),
      ...(name === 'fields' && list !== undefined ? { example: list } : {}),
    }));
  const shapeOf = (schema: z.ZodMiniObject | undefined) => schema?.shape as Record<string, z.ZodMiniType> | undefined;
  return [...of('path', shapeOf(endpoint.params)), ...of('query', shapeOf(endpoint.query))];
}

const PLANS = { public: 'Pro', free: 'Pro', pro: 'Pro', premium: 'Premium+', admin: 'Admin' } as const;

function operationOf(call: ApiCall, example: unknown): Node {
  const { endpoint, tag, summary, about, list } = call;
  const isRead = endpoint.method === 'GET';
  const errors = isRead
    ? ['304', '400', '401', '403', '404', '406', '429', '500', '503']
    : ['400', '401', '403', '409', '413', '429', '500', '503'];
  return {
    operationId: nameOf(endpoint),
    tags: [tag],
    summary,
    description: `${about}\n\nScope \`${endpoint.scope}\`, from ${PLANS[endpoint.access]}.`,
    'x-scope': endpoint.scope,
    'x-plan': PLANS[endpoint.access],
    parameters: parametersOf(call),
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
                    description: `The rows of \`${list}\`: a column for each leaf, named as in \`fields\``,
                  },
                },
              }),
        },
      },
      ...errorsOf(...errors),
    },
  };
}

const streamOperation = (): Node => ({
  operationId: nameOf(readStream),
  tags: ['Market'],
  summary: 'What changes, as it changes',
  description:
    'Server-sent events of the topics named in `topics`, else of all that are open to everyone. A connection costs one call; it ends after a quarter of an hour and goes on where it was with Last-Event-ID.\n\nScope `market`, for `alerts` also `alerts`, from Pro.',
  'x-scope': readStream.scope,
  'x-plan': PLANS[readStream.access],
  parameters: parametersOf({ endpoint: readStream }),
  responses: {
    '200': {
      description: 'The stream',
      headers: LIMITS,
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...errorsOf('400', '401', '403', '429', '500', '503'),
  },
});

/** Of the API; the product counts its own. */
const VERSION = '1.0.0';

/** The OpenAPI 3.1 document of the calls; `examples` are answers by path. */
export function openApiOf(
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
    add(call.endpoint.path, call.endpoint.method, operationOf(call, examples.get(call.endpoint.path)));
  add(readStream.path, readStream.method, streamOperation());
  return {
    openapi: '3.1.0',
    info: {
      title: `${BRAND.name} API`,
      version: VERSION,
      description:
        'Whatever the screen shows, a program can read. Every number has its source and age beside it, in `meta`; amounts are USD and shares percent unless the field says otherwise, times are ISO 8601 in UTC. Send the key in `X-API-Key` or `Authorization: Bearer`.',
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
          description: `A key of the API Keys page; its scopes are among ${API_SCOPES.join(', ')}`,
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same key as Authorization: Bearer' },
      },
      headers: HEADERS,
      responses: Object.fromEntries(Object.entries(RESPONSES).map(([status, response]) => [`E${status}`, response])),
      schemas: schemasOf(calls),
    },
  };
}
