import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { z } from 'zod';
import type { PastMarket } from '#features/market/server/metrics/service.ts';

import { type Config, isSet, type Settings } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { isLoopback } from '#kernel/http/loopback.ts';
import { AppStartError } from '#kernel/postgres/process.ts';

export type DemoMarket = { config: Config; close: () => Promise<void> };

type RunningSandbox = { urls: Record<string, string>; close: () => Promise<void> };

async function runSandbox(seed: number): Promise<RunningSandbox> {
  const worker = new Worker(new URL('../../sandbox/worker.ts', import.meta.url), { workerData: { seed } });
  const [message] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'error').then(([error]) => Promise.reject(error as Error)),
  ])) as [{ urls: Record<string, string> }];
  return {
    urls: message.urls,
    async close() {
      const exited = once(worker, 'exit');
      worker.postMessage('close');
      const timer = setTimeout(() => void worker.terminate(), 1000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Where a setting is a list of addresses, the sandbox becomes its only entry. */
const withSandboxUrls = (config: Config, urls: Record<string, string>): Config => ({
  ...config,
  ...Object.fromEntries(
    Object.entries(urls)
      .filter(([name]) => name in config)
      .map(([name, url]) => [name, Array.isArray(config[name as keyof Settings]) ? [url] : url]),
  ),
});

const withDefaults = (config: Config, urls: Record<string, string>): Config =>
  withSandboxUrls(config, Object.fromEntries(Object.entries(urls).filter(([name]) => !isSet(name as keyof Settings))));

/** [address, key] of the sources that need one. */
const KEYED = [
  ['VENICE_BASE_URL', 'VENICE_API_KEY'],
  ['GROQ_BASE_URL', 'GROQ_API_KEY'],
  ['HUGGINGFACE_BASE_URL', 'HUGGINGFACE_API_KEY'],
  ['FRED_API_BASE_URL', 'FRED_API_KEY'],
  ['BLS_BASE_URL', 'BLS_API_KEY'],
  ['BEA_BASE_URL', 'BEA_API_KEY'],
  ['FINNHUB_BASE_URL', 'FINNHUB_API_KEY'],
  ['COINMARKETCAL_BASE_URL', 'COINMARKETCAL_API_KEY'],
] as const;
const DEMO_KEY = 'demo';
const DEMO_BOT_TOKEN = '7246000001:demo';
const DEMO_SOLANA_WALLET = 'GxL6U5ZJBUK4mSwCXxYxDDSgBL99Fk6LdXBC3pYUf32b';
const DEMO_TREASURY = '0x7e57000000000000000000000000000000dEB057';
const DEMO_STRIPE = { STRIPE_SECRET_KEY: 'sk_test_demo', STRIPE_WEBHOOK_SECRET: 'whsec_demo' };

/** The demo shows every source: where no key is set and the address is on this machine, any key will do. */
const withKeys = (config: Config): Config => ({
  ...config,
  ...Object.fromEntries(
    KEYED.filter(([address, key]) => !config[key] && isLoopback(config[address])).map(([, key]) => [key, DEMO_KEY]),
  ),
  ...(!config.TELEGRAM_BOT_TOKEN && isLoopback(config.TELEGRAM_API_BASE_URL)
    ? { TELEGRAM_BOT_TOKEN: DEMO_BOT_TOKEN }
    : {}),
  ...(!config.PAY_SOLANA_WALLET && isLoopback(config.PAY_SOLANA_RPC_URLS[0] ?? '')
    ? { PAY_SOLANA_WALLET: DEMO_SOLANA_WALLET }
    : {}),
  ...(!config.PAY_BASE_TREASURY && config.PAY_BASE_RPC_URLS.every(isLoopback)
    ? { PAY_BASE_TREASURY: DEMO_TREASURY }
    : {}),
  ...(!config.STRIPE_SECRET_KEY && isLoopback(config.STRIPE_API_BASE) ? DEMO_STRIPE : {}),
  CONSENSUS_CALENDAR: config.CONSENSUS_CALENDAR || isLoopback(config.CONSENSUS_CALENDAR_BASE_URL),
  // Simulated series are not copyrighted.
  FRED_COPYRIGHTED: config.FRED_COPYRIGHTED || isLoopback(config.FRED_BASE_URL),
});

const DEMO_MARKET_LOCK = 7_246_003;
const SHARE_ONE = 'run `npm run sandbox` with the DEMO_SEED of the database and set DEMO_MARKET_URL for every process';

/** Two processes with different markets would write conflicting prices, chats and payments. */
export async function holdMarketLock(config: Config, connection: Connection): Promise<() => Promise<void>> {
  if (config.DEMO_MARKET_URL) return async () => undefined;
  if (config.ROLE !== 'all')
    throw new AppStartError(
      `The processes of a demo share one simulated market, and ROLE=${config.ROLE} has none: ${SHARE_ONE}.`,
    );
  const client = new pg.Client({ ...connection, application_name: 'meridian-demo', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [DEMO_MARKET_LOCK]);
  if (rows[0]?.held) return () => client.end().catch(() => undefined);
  await client.end();
  throw new AppStartError(
    `Another process runs the simulated market of this database. For a demo with several processes, ${SHARE_ONE}.`,
  );
}

const workerMessage = z.object({ seed: z.number(), urls: z.record(z.string(), z.string()) });

async function joinMarket(address: string, seed: number): Promise<RunningSandbox> {
  const door = new URL('/__sandbox/world', address);
  const answer = await fetch(door, { signal: AbortSignal.timeout(10_000) })
    .then((response) => response.json())
    .catch(() => undefined);
  const world = workerMessage.safeParse(answer);
  if (!world.success)
    throw new AppStartError(
      `No simulated market responds at DEMO_MARKET_URL=${address}. Start it with npm run sandbox.`,
    );
  if (world.data.seed !== seed)
    throw new AppStartError(
      `The market at DEMO_MARKET_URL has seed ${world.data.seed}, but this database uses ${seed}. Start it with DEMO_SEED=${seed}.`,
    );
  return { urls: world.data.urls, close: async () => undefined };
}

/**
 * Points every provider address not set by the operator at the simulated market: the shared one, or its own in a
 * thread.
 */
export async function startDemoMarket(config: Config, seed: number): Promise<DemoMarket> {
  const { DEMO_MARKET_URL: shared } = config;
  const { urls, close } = await (shared ? joinMarket(shared, seed) : runSandbox(seed));
  return { config: withKeys(withDefaults(config, urls)), close };
}

/**
 * A second sandbox with the same seed whose clock can be moved, so that the demo's past is collected by the normal
 * adapters.
 */
export async function startPastMarket(config: Config, seed: number): Promise<PastMarket> {
  const { urls, close } = await runSandbox(seed);
  const door = new URL('/__sandbox/clock', urls['COINGECKO_BASE_URL']);
  return {
    config: withKeys(withSandboxUrls(config, urls)),
    async moveTo(moment) {
      const response = await fetch(door, { method: 'POST', body: JSON.stringify({ set: moment.getTime() }) });
      if (!response.ok) throw new Error(`The sandbox's clock answered ${response.status}`);
    },
    close,
  };
}
