import { wait } from '#kernel/clock.ts';
import { errorMessage } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const STOP_TIMEOUT_MS = 20_000;
/** Work in progress may finish its current step within this time, then it is aborted. */
const DRAIN_TIMEOUT_MS = 4_000;
/** Ctrl-C arrives up to three times: from the terminal, and forwarded by npm and the bootstrap. */
const SAME_SIGNAL_MS = 1_000;

export type Lifetime = {
  /** Aborts when the operator asks this process to stop, at any time from its start. */
  signal: AbortSignal;
  interrupted: Promise<void>;
  /** From now on a signal first calls `tell`; the process stops `ms` later or at a second signal. */
  drainFor: (ms: number, tell: () => void) => void;
  /** Registers a shutdown step; the last one added runs first. */
  onEnd: (step: () => Promise<void>) => void;
};

/**
 * Runs `work` until it is done or the operator stops the process; the shutdown steps run in any case. False when
 * interrupted.
 */
export async function live(log: Log, work: (lifetime: Lifetime) => Promise<void>): Promise<boolean> {
  const ending = new AbortController();
  const { signal } = ending;
  const steps: (() => Promise<void>)[] = [];
  let drain: { ms: number; tell: () => void } | null = null;
  const interrupted = new Promise<void>((resolve) => {
    function end(): void {
      if (signal.aborted) return;
      ending.abort();
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
      resolve();
    }
    let drainingSince = -Infinity;
    function onSignal(): void {
      if (performance.now() - drainingSince < SAME_SIGNAL_MS) return;
      const first = drain;
      drain = null;
      if (!first) return end();
      drainingSince = performance.now();
      first.tell();
      if (first.ms > 0) setTimeout(end, first.ms);
      else end();
    }
    for (const name of SIGNALS) process.on(name, onSignal);
  });

  let ended = false;
  const run = (step: () => Promise<void>) =>
    step().catch((error: unknown) => log.error({ error: errorMessage(error) }, 'shutdown'));
  const lifetime: Lifetime = {
    signal,
    interrupted,
    drainFor(ms, tell) {
      drain = { ms, tell };
    },
    onEnd(step) {
      if (ended) void run(step);
      else steps.push(step);
    },
  };
  try {
    const outOfPatience = interrupted.then(() => wait(DRAIN_TIMEOUT_MS));
    return await Promise.race([work(lifetime).then(() => true), outOfPatience.then(() => false)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    ended = true;
    for (const step of steps.toReversed()) await run(step);
  }
}
