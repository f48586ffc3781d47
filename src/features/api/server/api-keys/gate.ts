import type { IncomingHttpHeaders } from 'node:http';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { readBearer } from '#features/accounts/server/auth/service.ts';
import { apiCallsPerDay } from '#features/accounts/server/subscriptions/service.ts';
import { AppError } from '#kernel/errors.ts';
import { API_KEY_PREFIX, type ApiScope } from '#shared/contract.ts';

import { type AccountDay, DAY_MS, remainingCalls } from './account-day.ts';
import type { ApiKeysContext } from './context.ts';
import { isKeyText, type KeyCaller, type KeyCallers } from './key-callers.ts';
import type { Quota } from './quota.ts';

type Bucket = { tokens: number; at: number };

type Burst = {
  /** Takes one of a user's calls; false when none is left. */
  take: (userId: number, nowMs: number) => boolean;
  /** Calls left, in whole numbers. */
  left: (userId: number, nowMs: number) => number;
  /** Drops accounts whose bucket is full again. */
  tidy: (nowMs: number) => void;
};

/** A token bucket per user, in this process: capacity `perSecond`, refilled each second. */
export function createBurst(perSecond: number): Burst {
  const buckets = new Map<number, Bucket>();

  function filled(userId: number, nowMs: number): Bucket {
    let bucket = buckets.get(userId);
    if (!bucket) {
      bucket = { tokens: perSecond, at: nowMs };
      buckets.set(userId, bucket);
    }
    // A clock set back neither adds nor removes tokens.
    const elapsed = Math.max(0, nowMs - bucket.at);
    bucket.tokens = Math.min(perSecond, bucket.tokens + (elapsed * perSecond) / 1000);
    bucket.at = nowMs;
    return bucket;
  }

  return {
    take(userId, nowMs) {
      const bucket = filled(userId, nowMs);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    left: (userId, nowMs) => Math.floor(filled(userId, nowMs).tokens),
    tidy(nowMs) {
      for (const [userId, { at }] of buckets) if (nowMs - at >= 1000) buckets.delete(userId);
    },
  };
}

export type { KeyCaller } from './key-callers.ts';

type Headers = Readonly<Record<string, string>>;

/** An admitted and counted call. */
export type Admission = {
  caller: KeyCaller;
  /** RateLimit-Policy and RateLimit, for the response. */
  headers: Headers;
  /** The call failed through our fault and is not counted. */
  giveBack: () => void;
};

export type Gate = {
  /**
   * Identifies the key's owner; nothing is spent.
   * @throws AppError 401 missing or invalid key, 403 plan too low, or scope where one is named
   */
  identify: (headers: IncomingHttpHeaders, scope?: ApiScope) => Promise<KeyCaller>;
  /**
   * Identifies the key's owner and spends one call. Synchronous when cached.
   * @throws AppError 401 missing or invalid key, 403 plan or scope too low, 429 a limit is reached
   */
  admit: (headers: IncomingHttpHeaders, scope: ApiScope) => Admission | Promise<Admission>;
  /** As `admit` when everything is cached and the call is allowed; otherwise null, with nothing spent. */
  admitNow: (headers: IncomingHttpHeaders, scope: ApiScope) => Admission | null;
};

const REALM = 'Bearer realm="Meridian API"';
const missingKey = () =>
  new AppError('unauthenticated', 'API key required in the X-API-Key or Authorization header', {
    headers: { 'www-authenticate': REALM },
  });
const invalidKey = () =>
  new AppError('unauthenticated', 'Invalid API key', {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token"` },
  });

/** The key in X-API-Key or in Authorization, with or without the Bearer prefix. */
export function readKey(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string') return own.trim();
  const { authorization } = headers;
  if (authorization === undefined) return null;
  return authorization.startsWith(API_KEY_PREFIX) ? authorization.trim() : readBearer(authorization);
}

const secondsToMidnight = (nowMs: number): number => Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);

/** Both headers, with those of the two limits that the plan has. */
function rateHeaders(account: AccountDay, burst: number, burstLeft: number, nowMs: number): Headers {
  const { limit } = account;
  if (limit === null && burst === 0) return {};
  const burstPolicy = burst > 0 ? `"burst";q=${burst};w=1` : '';
  const burstState = burst > 0 ? `"burst";r=${burstLeft};t=1` : '';
  if (limit === null) return { 'ratelimit-policy': burstPolicy, ratelimit: burstState };
  const comma = burst > 0 ? ', ' : '';
  return {
    'ratelimit-policy': `"daily";q=${limit};w=86400${comma}${burstPolicy}`,
    ratelimit: `"daily";r=${remainingCalls(account) ?? 0};t=${secondsToMidnight(nowMs)}${comma}${burstState}`,
  };
}

export function createGate(ctx: ApiKeysContext, keys: KeyCallers, quota: Quota, burst: Burst): Gate {
  const perSecond = ctx.config.API_BURST_PER_SECOND;

  const accountHeaders = (account: AccountDay, nowMs: number) =>
    rateHeaders(account, perSecond, perSecond > 0 ? burst.left(account.userId, nowMs) : 0, nowMs);

  function admitted(caller: KeyCaller, account: AccountDay, nowMs: number): Admission {
    let isSpent = true;
    return {
      caller,
      headers: accountHeaders(account, nowMs),
      giveBack() {
        if (isSpent) quota.giveBack(account, caller.keyId);
        isSpent = false;
      },
    };
  }

  function refuse(account: AccountDay, nowMs: number, message: string, retryAfterSeconds: number): never {
    quota.refuse(account);
    throw new AppError('rate_limited', message, { retryAfterSeconds, headers: accountHeaders(account, nowMs) });
  }

  const rejectOverLimit = (account: AccountDay, nowMs: number): never =>
    refuse(account, nowMs, 'Daily API quota exceeded. Resets at 00:00 UTC.', secondsToMidnight(nowMs));

  async function spendFromLease(caller: KeyCaller, limit: number | null, first: AccountDay): Promise<Admission> {
    let account = first;
    for (;;) {
      await quota.lease(account);
      const nowMs = ctx.now().getTime();
      account = quota.accountOf(caller.userId, limit, nowMs);
      if (quota.spend(account, caller.keyId, nowMs)) return admitted(caller, account, nowMs);
      if (quota.isDry(account)) rejectOverLimit(account, nowMs);
    }
  }

  function spend(caller: KeyCaller): Admission | Promise<Admission> {
    const nowMs = ctx.now().getTime();
    const limit = apiCallsPerDay(ctx.config, caller.plan);
    const account = quota.accountOf(caller.userId, limit, nowMs);
    if (quota.isDry(account)) rejectOverLimit(account, nowMs);
    if (perSecond > 0 && !burst.take(caller.userId, nowMs))
      refuse(account, nowMs, `Rate limit exceeded: at most ${perSecond} API calls per second per account`, 1);
    if (quota.spend(account, caller.keyId, nowMs)) return admitted(caller, account, nowMs);
    return spendFromLease(caller, limit, account);
  }

  const isAllowed = (caller: KeyCaller, scope: ApiScope) =>
    PLAN_LIMITS[caller.plan].apiKeys && caller.scopes.includes(scope);

  function demand(caller: KeyCaller | null, scope?: ApiScope): KeyCaller {
    if (!caller) throw invalidKey();
    if (!PLAN_LIMITS[caller.plan].apiKeys) throw new AppError('upgrade_required', 'API access requires Pro');
    if (scope !== undefined && !isAllowed(caller, scope))
      throw new AppError('forbidden', `This API key lacks the required scope: ${scope}`);
    return caller;
  }

  const enter = (caller: KeyCaller | null, scope: ApiScope) => spend(demand(caller, scope));

  return {
    async identify(headers, scope) {
      const key = readKey(headers);
      if (key === null) throw missingKey();
      return demand(isKeyText(key) ? (keys.known(key) ?? (await keys.read(key))) : null, scope);
    },
    admit(headers, scope) {
      const key = readKey(headers);
      if (key === null) throw missingKey();
      const caller = keys.known(key);
      if (caller !== undefined) return enter(caller, scope);
      if (!isKeyText(key)) throw invalidKey();
      return keys.read(key).then((read) => enter(read, scope));
    },
    admitNow(headers, scope) {
      const key = readKey(headers);
      const caller = key === null ? null : keys.known(key);
      if (!caller || !isAllowed(caller, scope)) return null;
      const nowMs = ctx.now().getTime();
      const account = quota.accountOf(caller.userId, apiCallsPerDay(ctx.config, caller.plan), nowMs);
      if (account.limit !== null && account.units === 0) return null;
      if (perSecond > 0 && !burst.take(caller.userId, nowMs)) return null;
      quota.spend(account, caller.keyId, nowMs);
      return admitted(caller, account, nowMs);
    },
  };
}
