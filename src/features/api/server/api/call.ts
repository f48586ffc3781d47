import type { z } from 'zod/mini';

import type { KeyCaller } from '#features/api/server/api-keys/service.ts';
import { checkAccess } from '#kernel/route.ts';
import type { Endpoint } from '#shared/contract.ts';

type ApiEndpoint = Endpoint & { scope: NonNullable<Endpoint['scope']> };
export type ApiTag = 'Market' | 'Analysis' | 'Calendar' | 'Alerts' | 'Account';

/** One call of the public API: HTTP, the OpenAPI document and the tools of assistants are made of it. */
export type ApiCall = {
  endpoint: ApiEndpoint;
  tag: ApiTag;
  /** What it gives, in a few words. */
  summary: string;
  /** What people and assistants have to know of it, in sentences. */
  about: string;
  /** The field of the reply that is a list: it comes in pages, and as CSV. */
  list?: string;
  /** `input` is parsed already. Answers what fits `endpoint.reply`. */
  answer: (input: { params: unknown; query: unknown; body: unknown; caller: KeyCaller }) => unknown;
  /** The answer without a query, where it is the same for every key. */
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

/** A call whose answer depends on whose key it is, or on what is asked. */
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

/** A call that says the same to every key: without a query it stands ready. */
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
