import type { FastifyRequest } from 'fastify';

import { AppError } from '#kernel/errors.ts';
import { demandStorable, parsed } from '#kernel/route.ts';

import type { ApiCall } from '../call.ts';

export type ApiInput = { params: unknown; query: Record<string, unknown>; body: unknown };

/** What a call brings. @throws AppError 400 also for a parameter that it does not know */
export function apiInput(
  { endpoint }: Pick<ApiCall, 'endpoint'>,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body'>,
): ApiInput {
  const { params, body } = request;
  const query = request.query as Record<string, unknown>;
  const known = endpoint.query?.shape ?? {};
  for (const name of Object.keys(query))
    if (!Object.hasOwn(known, name)) throw new AppError('bad_request', `Unknown parameter "${name.slice(0, 100)}"`);
  demandStorable(request);
  return {
    params: parsed(endpoint.params, params),
    query: (parsed(endpoint.query, query) ?? {}) as Record<string, unknown>,
    body: parsed(endpoint.body, body),
  };
}
