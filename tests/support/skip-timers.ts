import { vi } from 'vitest';

/** Timers within these limits in milliseconds fire immediately until it is restored; `skipped` holds their delays. */
export function skipTimers(minMs: number, maxMs: number): { skipped: number[]; restore: () => void } {
  const skipped: number[] = [];
  const realSetTimeout = globalThis.setTimeout;
  const sinceStart = performance.now.bind(performance);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0, ...args: []) => {
    if (ms < minMs || ms > maxMs) return realSetTimeout(work, ms, ...args);
    skipped.push(ms);
    return realSetTimeout(work, 0, ...args);
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
