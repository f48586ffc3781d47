import { z } from 'zod/mini';

/** The response of every failing call. `error` is user-facing text and is shown unchanged. */
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

/** Scopes of an API key, in the order they are offered. */
export const API_SCOPES = ['market', 'analysis', 'calendar', 'alerts', 'alerts:write', 'forecasts:write'] as const;
export const apiScope = z.enum(API_SCOPES);
export type ApiScope = z.infer<typeof apiScope>;

/** The prefix of every API key, so that none is mistaken for a session token. */
export const API_KEY_PREFIX = 'mk_live_';

/** One API call: the whole contract between server and browser. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** Lowest plan that may call it; `public` needs no sign-in. */
  readonly access: Access;
  /** Error texts where the page has its own: for visitors, and for users on a lower plan. */
  readonly refusal?: readonly [signedOut: string, lower: string];
  /** Public API only: the scope a key needs. */
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
