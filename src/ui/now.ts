import { createContext, use, useSyncExternalStore } from 'react';

/**
 * The time the page shows. Server and first client render agree on the seed; the real clock starts after mount. A fixed
 * clock stays at an earlier time, for pages without live data.
 */
export class Clock {
  readonly fixed: boolean;
  readonly #seedMs: number;
  readonly #listeners = new Set<() => void>();
  #nowMs: number;
  #ticked = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(seedMs: number, fixed = false) {
    this.fixed = fixed;
    this.#seedMs = seedMs;
    this.#nowMs = seedMs;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.fixed) return () => {};
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      // The server's markup stays until the first tick, so that the page is not immediately rendered twice.
      if (this.#ticked || this.#seedMs === 0) this.#nowMs = Date.now();
      this.#timer = setInterval(() => {
        this.#ticked = true;
        this.#nowMs = Date.now();
        for (const notify of this.#listeners) notify();
      }, 1000);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  readonly get = (): number => this.#nowMs;
  readonly seed = (): number => this.#seedMs;
}

export const ClockContext = createContext(new Clock(0));

/** Milliseconds since epoch, advancing every `stepMs`; 0 before anything is known. */
export function useNow(stepMs = 1000): number {
  const clock = use(ClockContext);
  const floor = (ms: number) => Math.floor(ms / stepMs) * stepMs;
  return useSyncExternalStore(
    clock.subscribe,
    () => floor(clock.get()),
    () => floor(clock.seed()),
  );
}
