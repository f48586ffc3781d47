import type { z } from 'zod/mini';

import type { KeyCaller } from '#features/api/server/api-keys/service.ts';
import { AppError } from '#kernel/errors.ts';
import { checkAccess } from '#kernel/route.ts';
import type { Endpoint } from '#shared/contract.ts';

type ApiEndpoint = Endpoint & { scope: NonNullable<Endpoint['scope']> };
export type ApiTag = 'Market' | 'Analysis' | 'Calendar' | 'Alerts' | 'Account';

/** One call of the public API: the source of HTTP routes, the OpenAPI document and the MCP tools. */
export type ApiCall = {
  endpoint: ApiEndpoint;
  tag: ApiTag;
  /** What it returns, in a few words. */
  summary: string;
  /** Description for developers and assistants, in sentences. */
  about: string;
  /** The field of the reply that is a list: it is paged, and available as CSV. */
  list?: string;
  /** `input` is already parsed. Returns a value of `endpoint.reply`. */
  answer: (input: { params: unknown; query: unknown; body: unknown; caller: KeyCaller }) => unknown;
  /** The response without a query, if it is the same for every key. */
  answerPlain?: () => unknown;
};

type Output<T> = T extends z.ZodMiniType ? z.output<T> : undefined;
type Input<E extends ApiEndpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
  caller: KeyCaller;
};
type Reply<E extends ApiEndpoint> = z.input<E['reply']>;

type Of<E extends ApiEndpoint> = Pick<ApiCall, 'tag' | 'summary' | 'about'> & {
  list?: keyof Reply<E> & string;
  answer: (input: Input<E>) => Promise<Reply<E>> | Reply<E>;
};

/** A call whose response depends on the key or the query. */
export function apiCall<E extends ApiEndpoint>(endpoint: E, { answer, ...rest }: Of<E>): ApiCall {
  return {
    ...rest,
    endpoint,
    answer(input) {
      checkAccess(endpoint.access, input.caller, endpoint.refusal);
      return answer(input as Input<E>);
    },
  };
}

/** A call with the same response for every key: prepared in advance when there is no query. */
export function openCall<E extends ApiEndpoint>(
  endpoint: E,
  {
    answer,
    ...rest
  }: Omit<Of<E>, 'answer'> & {
    answer: (input: Pick<Input<E>, 'query'> & { plan: KeyCaller['plan'] | null }) => Promise<Reply<E>> | Reply<E>;
  },
): ApiCall {
  return {
    ...rest,
    endpoint,
    answer: ({ query, caller }) => answer({ query: query as Output<E['query']>, plan: caller.plan }),
    answerPlain: () => answer({ query: endpoint.query?.parse({}) as Output<E['query']>, plan: null }),
  };
}

const FORM = /^([a-z-]{1,20}) (\d{1,15})(?: ([\x21-\x7e]{1,120}))?$/;

export type Place = { number: number; key: string };

/** `list` names the cursor's list: a cursor of another list is refused. */
export function cursorAt(list: string, number: number, key = ''): string {
  return Buffer.from(key === '' ? `${list} ${number}` : `${list} ${number} ${key}`).toString('base64url');
}

export function placeIn(list: string, cursor: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, name, number, key = ''] = FORM.exec(text) ?? [];
  const place = { number: Number(number), key };
  if (name !== list || cursorAt(list, place.number, key) !== cursor)
    throw new AppError('bad_request', 'Invalid cursor for this list');
  return place;
}

/** A page of a list in memory: it continues after the last row, or at its position when that row is gone. */
export function pageOf<T>(
  list: string,
  rows: readonly T[],
  keyOf: (row: T) => string | number,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): { rows: T[]; nextCursor: string | null } {
  let from = 0;
  if (cursor !== undefined) {
    const { number, key } = placeIn(list, cursor);
    const found = rows.findIndex((row) => `${keyOf(row)}` === key);
    from = found < 0 ? number : found + 1;
  }
  const end = from + limit;
  const page = rows.slice(from, end);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: last !== undefined && end < rows.length ? cursorAt(list, end, `${keyOf(last)}`) : null,
  };
}
