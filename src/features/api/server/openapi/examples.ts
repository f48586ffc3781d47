import { AppError } from '#server/platform/errors.ts';

import type { ApiCall } from '../call.ts';

/** Of each list its first row. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(short);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, short(each)]));
}

/** What the calls that say the same to everyone answer now; one that has nothing to say yet has no example. */
export async function examplesOf(calls: readonly ApiCall[]): Promise<Map<string, unknown>> {
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
