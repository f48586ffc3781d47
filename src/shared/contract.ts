import { z } from 'zod/mini';

/** What every failing call answers. `error` is written for people and is shown as it is. */
export const apiError = z.object({
  error: z.string(),
  code: z.enum([
    'bad_request',
    'unauthenticated',
    'upgrade_required',
    'forbidden',
    'reauthentication_required',
    'not_found',
    'conflict',
    'precondition_failed',
    'payload_too_large',
    'rate_limited',
    'unavailable',
    'internal',
  ]),
});
export type ApiError = z.infer<typeof apiError>;
export type ErrorCode = ApiError['code'];

export const plan = z.enum(['free', 'pro', 'premium', 'admin']);
export type Plan = z.infer<typeof plan>;
export type Access = Plan | 'public';

/** What an API key may be allowed, in the order it is offered. */
export const API_SCOPES = ['market', 'analysis', 'calendar', 'alerts', 'alerts:write', 'forecasts:write'] as const;
export const apiScope = z.enum(API_SCOPES);
export type ApiScope = z.infer<typeof apiScope>;

/** What every API key begins with: it is never taken for a session's token. */
export const API_KEY_PREFIX = 'mk_live_';

/** One call of our API: the whole agreement between server and browser. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** Lowest plan that may call it; `public` needs no sign-in. */
  readonly access: Access;
  /** Where its page has words of its own: for those who are not signed in, and for those on a lower plan. */
  readonly refusal?: readonly [signedOut: string, lower: string];
  /** Of the public API only: what a key must be allowed. */
  readonly scope?: ApiScope;
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  readonly reply: z.ZodMiniType;
};

/** Keeps the literal types of an endpoint while checking its shape. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

/** One kind of message on `GET /api/stream`; `name` is the SSE event name. */
export type Topic = {
  readonly name: string;
  readonly access: Access;
  readonly data: z.ZodMiniType;
};

export const topic = <const T extends Topic>(t: T): T => t;
export type TopicData<T extends Topic> = z.infer<T['data']>;
