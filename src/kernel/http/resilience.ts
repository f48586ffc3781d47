import { grouped } from '#shared/format.ts';

import { wait } from '../clock.ts';
import { SourceError } from './source-error.ts';

const FAILURE_THRESHOLD = 3;
const INITIAL_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;

/** After three consecutive failures a source is paused, longer each time; then one trial call is allowed. */
export function createCircuitBreaker(nowMs: () => number) {
  let failures = 0;
  let openUntil = 0;
  let pauseMs = INITIAL_PAUSE_MS;
  let trial = false;

  return {
    /** Milliseconds until a call is allowed; 0 when it is allowed now. */
    restMs(): number {
      const left = openUntil - nowMs();
      if (left > 0) return left;
      return trial ? 1 : 0;
    },
    begin(): void {
      if (openUntil > 0) trial = true;
    },
    /** We cancelled the call: that says nothing about the source, and the next call may try. */
    cancel(): void {
      trial = false;
    },
    success(): void {
      failures = 0;
      openUntil = 0;
      trial = false;
      pauseMs = INITIAL_PAUSE_MS;
    },
    /** `retryAfterMs` is the provider's Retry-After and opens the breaker immediately. */
    failure(retryAfterMs?: number): void {
      failures += 1;
      const wasTrial = trial;
      trial = false;
      if (retryAfterMs !== undefined) openUntil = nowMs() + retryAfterMs;
      else if (openUntil <= nowMs() && (failures >= FAILURE_THRESHOLD || wasTrial)) {
        openUntil = nowMs() + pauseMs;
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      }
    },
  };
}

/** Rate limit for one host: `perMinute` on average, bursts of `burst`. `take` waits for a token. */
export function createTokenBucket(perMinute: number, burst: number, nowMs: () => number = () => performance.now()) {
  const refillPerMs = perMinute / 60_000;
  let tokens = burst;
  let at = nowMs();

  return {
    async take(signal?: AbortSignal): Promise<void> {
      const now = nowMs();
      tokens = Math.min(burst, tokens + (now - at) * refillPerMs);
      at = now;
      tokens -= 1;
      if (tokens < 0) await wait(-tokens / refillPerMs, signal);
      signal?.throwIfAborted();
    },
  };
}

const DAY_MS = 86_400_000;

/** The calls a plan allows per calendar month (UTC), and how many per day are reserved for calls that cannot wait. */
export type MonthlyQuota = { calls: number; reservedPerDay: number };

type Deps = {
  name: string;
  limit: MonthlyQuota;
  now: () => Date;
  /** Calls made since then, before this process started counting. */
  usedSince: (from: Date) => Promise<number>;
};

export type MonthlyBudget = {
  /** Counts one call, or throws. A spare call may wait for another month. */
  take: (isDeferrable: boolean) => Promise<void>;
};

/** Limits the calls to one source to its monthly quota. */
export function createMonthlyBudget({ name, limit, now, usedSince }: Deps): MonthlyBudget {
  let month: { start: number; used: Promise<number>; taken: number } | undefined;

  return {
    async take(isDeferrable) {
      const at = now();
      const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
      const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
      if (month?.start !== start) month = { start, used: usedSince(new Date(start)), taken: 0 };
      const current = month;
      const used =
        (await current.used.catch((error: unknown) => {
          month = undefined;
          throw error;
        })) + current.taken;
      const leftMs = end - at.getTime();
      const all = `this month’s ${grouped(limit.calls)} calls`;
      if (used >= limit.calls) throw new SourceError('spent', `${name}: ${all} are used up`);
      if (isDeferrable && used + (limit.reservedPerDay * leftMs) / DAY_MS >= limit.calls)
        throw new SourceError('resting', `${name}: the rest of ${all} is reserved for the price list`);
      current.taken += 1;
    },
  };
}

/** Several requests to one source: a failed one loses only its own part. Throws when all fail. */
export async function collectSettled<T>(calls: Promise<T[]>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const bug = failures.find((failure) => !(failure instanceof SourceError));
  if (bug !== undefined) throw bug;
  if (failures.length > 0 && failures.length === results.length) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
