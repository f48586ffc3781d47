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
