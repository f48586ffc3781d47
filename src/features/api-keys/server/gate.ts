import type { IncomingHttpHeaders } from 'node:http';

import { bearerIn, hashOf } from '#features/auth/server/service.ts';
import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { planOf, standingOf } from '#features/subscriptions/server/service.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';
import { API_KEY_PREFIX, type ApiScope } from '#shared/contract.ts';

import type { ApiKeysContext } from './context.ts';
import { findKey, spendCall } from './store.ts';

export type KeyCaller = Caller & { keyId: number; scopes: readonly ApiScope[] };

/** A call that may be made, and is paid for. */
export type Admission = {
  caller: KeyCaller;
  /** RateLimit-Policy and RateLimit, for the answer. */
  headers: Readonly<Record<string, string>>;
  /** The call failed by our fault: it costs nothing. */
  giveBack: () => void;
};

export type Gate = {
  /**
   * Who brings a key, and one call spent. At once when it is in memory.
   * @throws AppError 401 no key or none of ours, 403 plan or scope too low, 429 a limit is reached
   */
  admit: (headers: IncomingHttpHeaders, scope: ApiScope) => Admission | Promise<Admission>;
};

const refused = (message: string) =>
  new AppError('unauthenticated', message, { headers: { 'www-authenticate': 'Bearer realm="Meridian API"' } });

/** The key in X-API-Key or in Authorization, with or without the word Bearer. */
export function keyIn(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string') return own.trim();
  const { authorization } = headers;
  if (authorization === undefined) return null;
  return authorization.startsWith(API_KEY_PREFIX) ? authorization.trim() : bearerIn(authorization);
}

export function createGate(ctx: ApiKeysContext): Gate {
  return {
    async admit(headers, scope) {
      const key = keyIn(headers);
      if (key === null) throw refused('An API key is needed, in the X-API-Key or Authorization header');
      const now = ctx.now();
      const found = key.startsWith(API_KEY_PREFIX) ? await findKey(ctx.db, hashOf(key), now) : undefined;
      if (!found) throw refused('This API key is not valid');
      const plan = planOf(found.role, await standingOf(ctx.db, found.userId, now));
      const { apiKeys, apiCallsPerDay } = PLAN_LIMITS[plan];
      if (!apiKeys) throw new AppError('upgrade_required', 'API access requires Pro');
      if (!found.scopes.includes(scope))
        throw new AppError('forbidden', `This API key may not do this: it needs ${scope}`);
      const limit = apiCallsPerDay ?? Number.MAX_SAFE_INTEGER;
      const spent = await spendCall(ctx.db, found.userId, now.toISOString().slice(0, 10), limit);
      if (spent === undefined) throw new AppError('rate_limited', 'The API calls of this day are used up');
      return {
        caller: { userId: found.userId, sessionId: null, plan, keyId: found.id, scopes: found.scopes },
        headers: {},
        giveBack: () => undefined,
      };
    },
  };
}
