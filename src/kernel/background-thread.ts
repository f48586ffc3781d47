import { Worker } from 'node:worker_threads';

import type { ThreadCall, ThreadReply } from './background-thread/worker.ts';

export type BackgroundThread = {
  /**
   * Calls an exported function of a module in the thread; arguments and results are copied. Runs in this thread while
   * there is no other.
   */
  call: <T>(module: string, name: string, ...args: unknown[]) => Promise<T>;
  /** Starts the thread and loads a module, so that the first call need not wait for either. */
  load: (module: string) => void;
  /** Waits for the calls in progress. Later ones run in this thread. */
  stop: () => Promise<void>;
};

type Options = { onError: (error: unknown) => void; timeoutMs?: number; restartDelayMs?: number; idleMs?: number };
type Call = { module: string; name: string; args: unknown[] };
type PendingCall = {
  call: Call;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
};

const CALL_TIMEOUT_MS = 30_000;
const RESTART_DELAY_MS = 10_000;
/** A thread without calls for this long ends; the next call starts another. */
const IDLE_MS = 5 * 60_000;
/** Drawing retains nothing: room for more garbage would only cost memory. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };

async function callInProcess({ module, name, args }: Call): Promise<unknown> {
  const functions = (await import(module)) as Record<string, (...args: unknown[]) => unknown>;
  return functions[name]?.(...args);
}

/**
 * One thread for work that would block the event loop for milliseconds. When it dies, its calls run in this thread and
 * the next one starts after a pause; a call that never ends fails and ends the thread.
 */
export function openBackgroundThread({
  onError,
  timeoutMs = CALL_TIMEOUT_MS,
  restartDelayMs = RESTART_DELAY_MS,
  idleMs = IDLE_MS,
}: Options): BackgroundThread {
  const pending = new Map<number, PendingCall>();
  let newest = 0;
  let worker: Worker | null = null;
  let restartAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let onIdle: (() => void) | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const last = worker;
    worker = null;
    await last?.terminate();
  }

  function take(id: number): PendingCall | undefined {
    const found = pending.get(id);
    if (!found) return undefined;
    clearTimeout(found.timer);
    pending.delete(id);
    if (pending.size > 0) return found;
    worker?.unref();
    idleTimer = setTimeout(() => void end(), idleMs).unref();
    onIdle?.();
    return found;
  }

  function handleExit(which: Worker, error: unknown): void {
    if (worker !== which) return;
    worker = null;
    restartAt = performance.now() + restartDelayMs;
    onError(error);
    for (const id of pending.keys()) {
      const lost = take(id);
      if (lost) callInProcess(lost.call).then(lost.resolve, lost.reject);
    }
  }

  function open(): Worker {
    const started = new Worker(new URL('./background-thread/worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: RESOURCE_LIMITS,
    });
    started.unref();
    started.on('message', ({ id, value, error }: ThreadReply) => {
      const done = take(id);
      if (error === undefined) done?.resolve(value);
      else done?.reject(error);
    });
    started.on('error', (error) => handleExit(started, error));
    started.on('exit', (code) => handleExit(started, new Error(`The background thread ended with ${code}`)));
    return started;
  }

  function timeOut(id: number): void {
    const late = take(id);
    const stuck = worker;
    if (!late || !stuck) return;
    const error = new Error(`${late.call.name} has not ended in ${timeoutMs} ms`);
    late.reject(error);
    handleExit(stuck, error);
    void stuck.terminate();
  }

  async function call(module: string, name: string, ...args: unknown[]): Promise<unknown> {
    const call = { module, name, args };
    if (stopped || performance.now() < restartAt) return callInProcess(call);
    clearTimeout(idleTimer);
    worker ??= open();
    const id = newest++;
    worker.postMessage({ id, ...call } satisfies ThreadCall);
    worker.ref();
    return new Promise<unknown>((resolve, reject) => {
      pending.set(id, { call, resolve, reject, timer: setTimeout(() => timeOut(id), timeoutMs) });
    });
  }

  return {
    call: call as BackgroundThread['call'],
    load(module) {
      call(module, '').catch(onError);
    },
    async stop() {
      stopped = true;
      if (pending.size > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      await end();
    },
  };
}
