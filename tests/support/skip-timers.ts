import { vi } from 'vitest';

/** Timers within these limits in milliseconds fire immediately until it is restored; `skipped` holds their delays. */
export function skipTimers(leastMs: number, mostMs: number): { skipped: number[]; restore: () => void } {
  const skipped: number[] = [];
  const real = globalThis.setTimeout;
  const sinceStart = performance.now.bind(performance);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0, ...args: []) => {
    if (ms < leastMs || ms > mostMs) return real(work, ms, ...args);
    skipped.push(ms);
    return real(work, 0, ...args);
  });
  const now = vi
    .spyOn(performance, 'now')
    .mockImplementation(() => skipped.reduce((sum, ms) => sum + ms, sinceStart()));
  return {
    skipped,
    restore() {
      spy.mockRestore();
      now.mockRestore();
    },
  };
}
