import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PastMarket } from '#features/metrics/server/service.ts';

import { type Config, isSet, type Settings } from './platform/config.ts';
import { isLoopback } from './platform/http/loopback.ts';

export type DemoMarket = { config: Config; close: () => Promise<void> };

type Running = { urls: Record<string, string>; close: () => Promise<void> };

async function runSandbox(seed: number): Promise<Running> {
  const worker = new Worker(new URL('../sandbox/worker.ts', import.meta.url), { workerData: { seed } });
  const [message] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'error').then(([error]) => Promise.reject(error as Error)),
  ])) as [{ urls: Record<string, string> }];
  return {
    urls: message.urls,
    async close() {
      const gone = once(worker, 'exit');
      worker.postMessage('close');
      const timer = setTimeout(() => void worker.terminate(), 1000);
      await gone;
      clearTimeout(timer);
    },
  };
}

const filled = (config: Config, urls: Record<string, string>): Config => ({
  ...config,
  ...Object.fromEntries(Object.entries(urls).filter(([name]) => name in config && !isSet(name as keyof Settings))),
});

/** Who answers only to a key: the demo shows them all. */
const KEYED = ['VENICE', 'GROQ', 'HUGGINGFACE', 'FRED_API', 'FINNHUB', 'COINMARKETCAL'] as const;
const keyOf = (name: (typeof KEYED)[number]) => (name === 'FRED_API' ? 'FRED_API_KEY' : (`${name}_API_KEY` as const));
const DEMO_KEY = 'demo';

/** Where the operator gave no key and the address is on this machine, any key will do. */
const withKeys = (config: Config): Config => ({
  ...config,
  ...Object.fromEntries(
    KEYED.filter((name) => !config[keyOf(name)] && isLoopback(config[`${name}_BASE_URL`])).map((name) => [
      keyOf(name),
      DEMO_KEY,
    ]),
  ),
});

/** Runs the provider sandbox in a worker thread and points every provider address at it that the operator has not set. */
export async function startDemoMarket(config: Config, seed: number): Promise<DemoMarket> {
  const { urls, close } = await runSandbox(seed);
  return { config: withKeys(filled(config, urls)), close };
}

/** A second sandbox of the same seed whose clock can be moved, so that the demo's past comes from the normal adapters. */
export async function startPastMarket(config: Config, seed: number): Promise<PastMarket> {
  const { urls, close } = await runSandbox(seed);
  const door = new URL('/__sandbox/clock', urls['COINGECKO_BASE_URL']);
  return {
    config: withKeys({ ...config, ...urls }),
    async moveTo(moment) {
      const response = await fetch(door, { method: 'POST', body: JSON.stringify({ set: moment.getTime() }) });
      if (!response.ok) throw new Error(`The sandbox's clock answered ${response.status}`);
    },
    close,
  };
}
