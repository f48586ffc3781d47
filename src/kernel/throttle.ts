export type Throttle = {
  /** Requests a run: immediately after a quiet time, else when `ms` have passed since the last one. */
  trigger: () => void;
  /** Runs now and waits for it. */
  flush: () => Promise<void>;
  /** Runs a pending request immediately; does nothing when there is none. */
  settle: () => Promise<void>;
  stop: () => void;
};

/** Runs `work` at most every `ms`; the last poke is never lost and two runs never overlap. */
export function createThrottle(ms: number, work: () => Promise<void>, onError: (error: unknown) => void): Throttle {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isPending = false;
  let lastRun = Number.NEGATIVE_INFINITY;
  let stopped = false;

  async function run(): Promise<void> {
    isPending = false;
    lastRun = performance.now();
    if (timer) clearTimeout(timer);
    timer = null;
    running = work().catch(onError);
    await running;
    running = null;
    if (isPending) schedule();
  }

  function schedule(): void {
    if (timer || stopped) return;
    const delay = Math.max(0, lastRun + ms - performance.now());
    timer = setTimeout(() => {
      timer = null;
      if (!running) void run();
    }, delay);
    timer.unref();
  }

  async function flush(): Promise<void> {
    for (let before = running; before; before = running) await before;
    await run();
  }

  return {
    trigger() {
      isPending = true;
      if (!running) schedule();
    },
    flush,
    async settle() {
      if (isPending) await flush();
      else await running;
    },
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
