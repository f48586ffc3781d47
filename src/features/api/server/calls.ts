import type { KeyCaller } from '#features/api-keys/server/service.ts';
import type { Endpoint } from '#shared/contract.ts';
import { marketCalls } from './calls/market.ts';
import type { ApiDeps } from './context.ts';

/** One call of the public API: HTTP, the OpenAPI document and the tools of assistants are made of it. */
export type ApiCall = {
  endpoint: Endpoint & { scope: NonNullable<Endpoint['scope']> };
  /** `input` is parsed already. Answers what fits `endpoint.reply`. */
  answer: (input: { params: unknown; query: unknown; body: unknown; caller: KeyCaller }) => unknown;
};

/** Every call of the public API, in the order of its documentation. */
export const apiCalls = (deps: ApiDeps): ApiCall[] => [...marketCalls(deps)];
