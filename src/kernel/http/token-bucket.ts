import { wait } from '../clock.ts';

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
