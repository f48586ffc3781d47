import { grouped } from '#shared/format.ts';

import { wait } from '../clock.ts';
import { SourceError } from './source-error.ts';

const THRESHOLD = 3;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 300_000;

/** After three failures in a row a source rests, longer each time; then one call may try. */
export function createCircuitBreaker(nowMs: () => number) {
  let failures = 0;
  let openUntil = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let trial = false;

  return {
    /** Milliseconds until a call may go out; 0 when it may now. */
    restMs(): number {
      const left = openUntil - nowMs();
      if (left > 0) return left;
      return trial ? 1 : 0;
    },
    begin(): void {
      if (openUntil > 0) trial = true;
    },
    /** The call was given up by us: it says nothing about the source, and the next one may try. */
    cancel(): void {
      trial = false;
    },
    success(): void {
      failures = 0;
      openUntil = 0;
      trial = false;
      pauseMs = FIRST_PAUSE_MS;
    },
    /** `restForMs` is the provider's own word (Retry-After) and opens at once. */
    failure(restForMs?: number): void {
      failures += 1;
      const wasTrial = trial;
      trial = false;
      if (restForMs !== undefined) openUntil = nowMs() + restForMs;
      else if (openUntil <= nowMs() && (failures >= THRESHOLD || wasTrial)) {
        openUntil = nowMs() + pauseMs;
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    },
  };
}

/** Spreads calls to one host: `perMinute` on average, `burst` at once. `take` waits for its turn. */
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

/** What a plan allows in a calendar month (UTC), and how much of it is kept for the calls that cannot wait. */
export type MonthLimit = { calls: number; keptPerDay: number };

type Deps = {
  name: string;
  limit: MonthLimit;
  now: () => Date;
  /** Calls that were made since then, before this process began to count. */
  usedSince: (from: Date) => Promise<number>;
};

export type MonthBudget = {
  /** Counts one call, or throws. A spare call is one that may wait for another month. */
  take: (spare: boolean) => Promise<void>;
};

/** Keeps the calls to one source within its month. */
export function createMonthBudget({ name, limit, now, usedSince }: Deps): MonthBudget {
  let month: { start: number; used: Promise<number>; taken: number } | undefined;

  return {
    async take(spare) {
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
      if (spare && used + (limit.keptPerDay * leftMs) / DAY_MS >= limit.calls)
        throw new SourceError('resting', `${name}: the rest of ${all} is reserved for the price list`);
      current.taken += 1;
    },
  };
}

/** Several questions to one source: one that fails costs only its own part. Throws when none is answered. */
export async function togetherOf<T>(calls: Promise<T[]>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const bug = failures.find((failure) => !(failure instanceof SourceError));
  if (bug !== undefined) throw bug;
  if (failures.length > 0 && failures.length === results.length) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
