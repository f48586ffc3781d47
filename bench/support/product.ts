import { createProduct, type Product } from '#app/server/product.ts';
import { DEMO_ACCOUNTS } from '#features/accounts/server/auth/service.ts';
import { type Clock, createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { createLog } from '#kernel/log.ts';
import { openSecrets } from '#kernel/secrets.ts';
import { startSandbox } from '#sandbox/sandbox.ts';

import type { Context } from '../benchmark.ts';
import { type Child, startChild, startDatabases } from './child.ts';

const SECRET_KEY = 'the secret key that benchmarks start with';

type Options = {
  connection: Connection;
  urls?: Record<string, string>;
  frozen?: boolean;
  env?: Record<string, string>;
  watchRequests?: boolean;
};

/** The product as assembled by main.ts, on an existing database; it serves and does not collect. */
export async function openProduct({
  connection,
  urls = {},
  frozen = false,
  env = {},
  watchRequests = true,
}: Options): Promise<Product & { clock: Clock }> {
  const clock = createClock();
  if (frozen) clock.set(clock.now());
  const settings = { PORT: '0', ROLE: 'web', LOG_LEVEL: 'error', NODE_ENV: 'production', SECRET_KEY };
  const config = loadConfig({ ...settings, ...urls, ...env });
  const log = createLog(config.LOG_LEVEL);
  const secrets = openSecrets({ config, log });
  const identity = { config, mode: 'demo', databaseKind: 'bundled', version: '0.0.0' } as const;
  return { ...(await createProduct({ ...identity, connection, clock, log, secrets, watchRequests })), clock };
}

/** Collects price list and metrics of the simulated market once, through the product's own job. */
export async function fillDatabase(connection: Connection): Promise<void> {
  const sandbox = await startSandbox({ seed: 7 });
  const product = await openProduct({ connection, urls: sandbox.urls });
  for (const job of ['market.listing', 'metrics.listing', 'metrics.slow']) await product.scheduler.runManually(job);
  await product.stop();
  await sandbox.close();
}

/** Creates a database with 250 coins. */
export async function startFilledDatabase(context: Context): Promise<Connection> {
  const makeDatabase = await startDatabases(context);
  const connection = await makeDatabase('filled');
  await fillDatabase(connection);
  return connection;
}

export type ProductProcess = Child & { port: number };

export async function startProduct(
  context: Context,
  connection: Connection,
  { frozen = false, env = {}, watchRequests = true }: Omit<Options, 'connection' | 'urls'> = {},
): Promise<ProductProcess> {
  const child = await startChild('product.ts', { connection, frozen, env, watchRequests });
  context.cleanUp(() => child.stop());
  return { ...child, port: await child.call<number>('listen') };
}

/** The token of the demo's Pro account. */
export async function signIn(port: number): Promise<string> {
  const account = DEMO_ACCOUNTS.find(({ plan }) => plan === 'pro');
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account?.email, password: account?.password }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`Signing in answered ${response.status}: ${body}`);
  return (JSON.parse(body) as { token: string }).token;
}
