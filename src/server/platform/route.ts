import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod/mini';

import type { Endpoint, Plan } from '#shared/contract.ts';

import { accepts } from './accept-encoding.ts';
import { AppError } from './errors.ts';

/** Who calls; `sessionId` is null for callers that are no browser's session. */
export type Caller = { userId: number; sessionId: number | null; plan: Plan };

/** Where a call comes from, as far as connection and headers tell. */
export type From = { ip: string; agent: string | undefined; authorization: string | undefined };

type Output<T> = T extends z.ZodMiniType ? z.output<T> : undefined;
export type Input<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
  caller: E['access'] extends 'public' ? Caller | null : Caller;
  from: From;
};
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<z.input<E['reply']>> | z.input<E['reply']>;

const RANK: Record<Plan, number> = { free: 0, pro: 1, premium: 2, admin: 3 };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** 401 = sign in, 403 = plan or role too low. */
export function checkAccess(access: Endpoint['access'], caller: Caller | null): void {
  if (access === 'public') return;
  if (!caller) throw new AppError('unauthenticated', 'Authentication required');
  if (RANK[caller.plan] >= RANK[access]) return;
  if (access === 'admin') throw new AppError('forbidden', 'Admin access required');
  throw new AppError('upgrade_required', 'Upgrade required');
}

const WORDS_OF_ZOD = /^(Invalid|Too (big|small)|Unrecognized)\b/;

/** A sentence that the contract has written stands as it is; anything else needs the name of its field. */
function wordsOf(message: string, path: readonly PropertyKey[]): string {
  const isSentence = /^[A-Z]/.test(message) && !WORDS_OF_ZOD.test(message);
  return isSentence || path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function parse(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError('bad_request', wordsOf(issue?.message ?? 'Bad request', issue?.path ?? []));
}

function inputOf<E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> {
  checkAccess(endpoint.access, request.caller);
  return {
    params: parse(endpoint.params, request.params),
    query: parse(endpoint.query, request.query),
    body: parse(endpoint.body, request.body),
    caller: request.caller,
    from: {
      ip: request.ip,
      agent: request.headers['user-agent'],
      authorization: request.headers.authorization,
    },
  } as Input<E>;
}

/** Mounts one contract endpoint: checks access, parses input, runs the handler, parses the reply (which strips what must not leak). */
export function route<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request: FastifyRequest, reply) => {
      const answer = endpoint.reply.parse(await handler(inputOf(endpoint, request)));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

/** A text that is written while it is read: never whole in memory. */
export type Download = { type: string; fileName: string; text: AsyncIterable<string> };

/** Mounts an endpoint that answers with a file. One that breaks off in the middle ends without its end, not as if whole. */
export function download<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: Input<E>) => Download,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const { type, fileName, text } = handler(inputOf(endpoint, request));
      reply
        .type(type)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('vary', 'accept-encoding');
      const file = Readable.from(text);
      if (!accepts(request.headers['accept-encoding'] ?? '', 'gzip')) return reply.send(file);
      const packed = createGzip();
      pipeline(file, packed).catch(() => undefined);
      return reply.header('content-encoding', 'gzip').send(packed);
    },
  });
}
