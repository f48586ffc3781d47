import type { FastifyInstance } from 'fastify';
import { readOpenApi } from '#features/api/contract/api.ts';
import { AppError } from '#kernel/errors.ts';
import { createReadModel } from '#kernel/read-model.ts';
import { serve } from '#kernel/serve.ts';

import type { ApiCall } from '../call.ts';
import { CORS } from '../http/headers.ts';
import { openApiOf } from './document.ts';

/** Of each list its first row. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, short(each)]));
}

/** What the calls that say the same to everyone answer now; one that has nothing to say yet has no example. */
async function examplesOf(calls: readonly ApiCall[]): Promise<Map<string, unknown>> {
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

/** The document, made when it is asked for first. */
export function openApiRoute(app: FastifyInstance, calls: readonly ApiCall[], deps: Deps): void {
  const { onInvalid, publicUrl, documentHeaders } = deps;
  const model = createReadModel<string>({ headers: { ...CORS, ...documentHeaders }, onInvalid });
  void model.publish(async () => JSON.stringify(openApiOf(calls, publicUrl(), await examplesOf(calls))));
  serve(app, readOpenApi, model);
}
