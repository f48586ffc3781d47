import type { z } from 'zod/mini';

import type { Endpoint, ErrorCode } from '#shared/contract.ts';
import { tokenNow } from '#ui/session.ts';

type In<T> = T extends z.ZodMiniType ? z.input<T> : never;
export type Args<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends z.ZodMiniType ? K : never]: In<E[K]>;
};
export type Reply<E extends Endpoint> = z.output<E['reply']>;

/** `message` is user-facing text and may be shown unchanged. */
export class CallError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'network';
  /** Whether the message is from the server; otherwise it is ours. */
  readonly told: boolean;
  constructor(status: number, code: ErrorCode | 'network', message: string, told = false) {
    super(message);
    this.status = status;
    this.code = code;
    this.told = told;
  }
}

export function failure(status: number, json: unknown): CallError {
  const { error, code } = (json ?? {}) as { error?: unknown; code?: ErrorCode };
  const hasMessage = typeof error === 'string' && error !== '';
  return new CallError(status, code ?? 'internal', hasMessage ? error : `The server returned ${status}`, hasMessage);
}

export const call = async <E extends Endpoint>(e: E, args: Args<E>, signal?: AbortSignal): Promise<Reply<E>> =>
  (await callTagged(e, args, signal)).reply;

/**
 * The only place in the web app that uses fetch. `tag` names the version that was read; if sent, only that version is
 * replaced.
 */
export async function callTagged<E extends Endpoint>(
  e: E,
  args: Args<E>,
  signal?: AbortSignal,
  tag?: string | null,
  bearer: string | null = tokenNow(),
): Promise<{ reply: Reply<E>; tag: string | null }> {
  const { params, query, body } = args as {
    params?: Record<string, unknown>;
    query?: Record<string, string>;
    body?: unknown;
  };
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const encoded = new URLSearchParams(query).toString();
  const search = encoded && `?${encoded}`;
  const response = await fetch(path + search, {
    method: e.method,
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(tag ? { 'if-match': tag } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallError(0, 'network', 'The server is unreachable');
  });
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) throw failure(response.status, json);
  if (json === null) throw new CallError(response.status, 'internal', 'The server’s response could not be read');
  const reply = (import.meta.env.DEV ? e.reply.parse(json) : json) as Reply<E>;
  return { reply, tag: response.headers.get('etag') };
}
