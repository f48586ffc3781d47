import { Worker } from 'node:worker_threads';

import type { Ask, Reply } from './side-thread/worker.ts';

export type SideThread = {
  /**
   * Calls an exported function of a module in the thread; arguments and results are copied. Runs in this thread while
   * there is no other.
   */
  call: <T>(module: string, name: string, ...args: unknown[]) => Promise<T>;
  /** Waits for the calls in progress. Later ones run in this thread. */
  stop: () => Promise<void>;
};

type Options = { onError: (error: unknown) => void; patienceMs?: number; restMs?: number };
type Call = { module: string; name: string; args: unknown[] };
type Waiting = {
  call: Call;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
};

const PATIENCE_MS = 30_000;
const REST_MS = 10_000;
/** Drawing retains nothing: room for more garbage would only cost memory. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

async function callHere({ module, name, args }: Call): Promise<unknown> {
  const functions = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
  return functions[name]?.(...args);
}

/**
 * One thread for work that would block the event loop for milliseconds. When it dies, its calls run in this thread and
 * the next one starts after a pause; a call that never ends fails and ends the thread.
 */
export function openSideThread({ onError, patienceMs = PATIENCE_MS, restMs = REST_MS }: Options): SideThread {
  const waiting = new Map<number, Waiting>();
  let newest = 0;
  let worker: Worker | null = null;
  let restUntil = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let emptied: (() => void) | null = null;

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    if (!found) return undefined;
    clearTimeout(found.timer);
    waiting.delete(id);
    if (waiting.size > 0) return found;
    worker?.unref();
    emptied?.();
    return found;
  }

  function died(which: Worker, error: unknown): void {
    if (worker !== which) return;
    worker = null;
    restUntil = performance.now() + restMs;
    onError(error);
    for (const id of waiting.keys()) {
      const lost = take(id);
      if (lost) callHere(lost.call).then(lost.resolve, lost.reject);
    }
  }

  function open(): Worker {
    const started = new Worker(new URL('./side-thread/worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: LIMITS,
    });
    started.unref();
    started.on('message', ({ id, value, error }: Reply) => {
      const done = take(id);
      if (error === undefined) done?.resolve(value);
      else done?.reject(error);
    });
    started.on('error', (error) => died(started, error));
    started.on('exit', (code) => died(started, new Error(`The side thread ended with ${code}`)));
    return started;
  }

  function giveUp(id: number): void {
    const late = take(id);
    const stuck = worker;
    if (!late || !stuck) return;
    const error = new Error(`${late.call.name} has not ended in ${patienceMs} ms`);
    late.reject(error);
    died(stuck, error);
    void stuck.terminate();
  }

  return {
    call<T>(module: string, name: string, ...args: unknown[]) {
      const call = { module, name, args };
      if (stopped || performance.now() < restUntil) return callHere(call) as Promise<T>;
      worker ??= open();
      const id = newest++;
      worker.postMessage({ id, ...call } satisfies Ask);
      worker.ref();
      return new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { call, resolve, reject, timer: setTimeout(() => giveUp(id), patienceMs) });
      }) as Promise<T>;
    },
    async stop() {
      stopped = true;
      if (waiting.size > 0)
        await new Promise<void>((resolve) => {
          emptied = resolve;
        });
      const last = worker;
      worker = null;
      await last?.terminate();
    },
  };
}
