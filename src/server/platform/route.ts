import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod/mini';

import type { Endpoint, Plan } from '#shared/contract.ts';

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

const WORDS_OF_ZOD = /^(Invalid|Too (big|small)|Unrecognized) /;

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

/** Mounts one contract endpoint: checks access, parses input, runs the handler, parses the reply (which strips what must not leak). */
export function route<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request: FastifyRequest, reply) => {
      checkAccess(endpoint.access, request.caller);
      const input = {
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
      const answer = endpoint.reply.parse(await handler(input));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}
