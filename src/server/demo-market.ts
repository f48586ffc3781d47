import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { type Config, isSet, type Settings } from './platform/config.ts';

export type DemoMarket = { config: Config; close: () => Promise<void> };

/** Runs the provider sandbox in a worker thread and points every provider address at it that the operator has not set. */
export async function startDemoMarket(config: Config, seed: number): Promise<DemoMarket> {
  const worker = new Worker(new URL('../sandbox/worker.ts', import.meta.url), { workerData: { seed } });
  const [message] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'error').then(([error]) => Promise.reject(error as Error)),
  ])) as [{ urls: Record<string, string> }];
  const filled = Object.fromEntries(
    Object.entries(message.urls).filter(([name]) => name in config && !isSet(name as keyof Settings)),
  );
  return {
    config: { ...config, ...filled },
    async close() {
      const gone = once(worker, 'exit');
      worker.postMessage('close');
      const timer = setTimeout(() => void worker.terminate(), 1000);
      await gone;
      clearTimeout(timer);
    },
  };
}
