/** The only place in the server that reads the time of day. Tests can move it; timers stay real. */
export type Clock = {
  now: () => Date;
  /** Freezes the clock at `at`, or moves a frozen one. */
  set: (at: Date) => void;
  advance: (ms: number) => void;
};

export function createClock(): Clock {
  let frozen: number | null = null;
  let offsetMs = 0;
  const nowMs = () => frozen ?? Date.now() + offsetMs;
  return {
    now: () => new Date(nowMs()),
    set: (at) => {
      frozen = at.getTime();
    },
    advance: (ms) => {
      if (frozen === null) offsetMs += ms;
      else frozen += ms;
    },
  };
}

export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
