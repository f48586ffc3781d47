import { z } from 'zod';

import type { Answer, SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';

const TOO_MANY = new Set([429, -32_005, -32_029]);

type RpcFault = { code?: number; message?: string };

/** JSON-RPC refuses under HTTP 200, alone or for one call of a list. */
export function rpcRefusal(body: unknown): string | null {
  const answers = (Array.isArray(body) ? body : [body]) as ({ error?: RpcFault } | null)[];
  const fault = answers.map((answer) => answer?.error).find(Boolean);
  if (!fault) return null;
  if (TOO_MANY.has(fault.code ?? 0) || /too many|rate limit/i.test(fault.message ?? '')) return 'rate_limited';
  return fault.message ?? `code ${fault.code}`;
}

/** One call, its result validated. */
export async function rpc<S extends z.ZodType>(
  client: SourceClient,
  [method, params]: [method: string, params: unknown[]],
  result: S,
  signal: AbortSignal,
): Promise<Answer<z.output<S>>> {
  const { data, fetchedAt } = await client.post(
    '',
    { jsonrpc: '2.0', id: 1, method, params },
    z.object({ result: z.unknown() }),
    { signal },
  );
  return { data: parseResult(client, result, data.result), fetchedAt };
}

/** Calls in one list; the results come back in the order of the calls. */
export async function rpcAll<S extends z.ZodType>(
  client: SourceClient,
  calls: [method: string, params: unknown[]][],
  result: S,
  signal: AbortSignal,
): Promise<z.output<S>[]> {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = z.array(z.object({ id: z.number(), result: z.unknown() })).length(calls.length);
  const { data } = await client.post('', body, answers, { signal });
  return data.toSorted((a, b) => a.id - b.id).map((answer) => parseResult(client, result, answer.result));
}

function parseResult<S extends z.ZodType>({ name }: SourceClient, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SourceError('body', `${name} sent an unexpected result at ${issue?.path.join('.')}: ${issue?.message}`);
}
