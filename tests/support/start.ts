import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import { expect } from 'vitest';
import type { ProductOptions } from '#app/server/compose.ts';
import { startPastMarket } from '#app/server/demo-market.ts';
import { createProduct, type Product } from '#app/server/product.ts';
import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { Rail } from '#features/payments/server/usdc/rail.ts';
import { openBackgroundThread } from '#kernel/background-thread.ts';
import { type Clock, createClock } from '#kernel/clock.ts';
import { type Config, loadConfig } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { createLog } from '#kernel/log.ts';
import { openSecrets } from '#kernel/secrets.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

import { createTestDatabase } from './test-database.ts';

/** The start time of every suite unless given: a Friday noon. */
export const NOON = new Date('2026-11-20T12:00:00Z');

type Response = Awaited<ReturnType<Product['app']['inject']>>;

export type TestProduct = {
  product: Product;
  sandbox: Sandbox;
  clock: Clock;
  connection: Connection;
  get: (url: string, headers?: Record<string, string>) => Promise<Response>;
  /** Runs a job like `npm run job -- NAME`, then refreshes every prepared buffer. */
  job: (name: string, payload?: unknown) => Promise<void>;
  /** Moves the clocks of the product and the sandbox together. */
  advance: (ms: number) => void;
  /** A second process on the same database. */
  another: (env?: Record<string, string>) => Promise<Product>;
  stop: () => Promise<void>;
};

const SEED = 7;
export const SECRET_KEY = 'the secret key that every test starts with';
let shared: { file: string | undefined; sandbox: Promise<Sandbox> } | undefined;
let sandboxNow = () => NOON.getTime();

/**
 * One simulated market serves all suites of a file, because computing its past takes time; each file gets a new one, so
 * that files do not affect each other.
 */
async function acquireSandbox(now: () => number): Promise<Sandbox> {
  sandboxNow = now;
  const { testPath: file } = expect.getState();
  if (shared?.file !== file) {
    const previous = shared;
    shared = { file, sandbox: startSandbox({ seed: SEED, now: () => sandboxNow() }) };
    await (await previous?.sandbox)?.close();
  }
  const sandbox = await (shared as NonNullable<typeof shared>).sandbox;
  sandbox.faults.clear();
  return sandbox;
}

/** Shared by all products of a worker: starting one takes a quarter of a product's start. */
const thread = { ...openBackgroundThread({ onError: () => undefined }), stop: async () => undefined };

let template: Promise<string> | undefined;

/**
 * A product's first start creates seventy job queues. Each worker does that once, in the template it copies for every
 * test.
 */
async function createTemplate(): Promise<string> {
  const { connection } = await createTestDatabase();
  const config = loadConfig({ SECRET_KEY, LOG_LEVEL: 'silent' });
  const log = createLog('silent');
  const clock = createClock();
  const secrets = openSecrets({ config, log });
  const options = { config, mode: 'live' as const, connection, clock, log, secrets, thread };
  const product = await createProduct({ ...options, databaseKind: 'external', version: '1.0.0' });
  await product.stop();
  const client = new Client(connection);
  await client.connect();
  // Keeps only the queues. Append-only tables refuse a truncate while their triggers are enabled.
  await client.query('set session_replication_role = replica');
  await client.query('truncate installation, push_keys, inflation_vintages restart identity');
  await client.end();
  return connection.database;
}

type StartOptions = {
  mode?: 'live' | 'demo';
  at?: Date;
  env?: Record<string, string>;
  /** Demo only: the second sandbox that the past is collected from. */
  past?: boolean;
  /** Receives every log line. */
  onLogLine?: (line: string) => void;
  /** Channels added to those of the product, replacing any of the same name. */
  channels?: Channel[];
  /** An existing database with its connections, instead of a new one. */
  connections?: Pick<ProductOptions, 'connection' | 'direct' | 'read'>;
  /** Payment networks, in place of the real ones. */
  rails?: Partial<Record<Network, Rail>>;
};

/** A whole product on a new database, with the sandbox as its providers and a clock frozen at noon. */
export async function start({
  mode = 'live',
  at = NOON,
  env = {},
  past = false,
  onLogLine,
  channels,
  rails,
  connections,
}: StartOptions = {}): Promise<TestProduct> {
  const clock = createClock();
  clock.set(at);
  const [sandbox, database] = await Promise.all([
    acquireSandbox(() => clock.now().getTime()),
    connections ?? (template ??= createTemplate()).then(createTestDatabase),
  ]);
  const products: Product[] = [];
  const exportsFolder = await mkdtemp(join(tmpdir(), 'meridian-exports-'));

  async function openProduct(overrides: Record<string, string>): Promise<Product> {
    const settings = {
      PORT: '0',
      LOG_LEVEL: 'silent',
      SECRET_KEY,
      COIN_LIMIT: '60',
      EXPORTS_DIR: exportsFolder,
      ...sandbox.urls,
      ...env,
      ...overrides,
    };
    const config: Config = loadConfig(settings);
    const log = createLog(config.LOG_LEVEL, onLogLine && { write: onLogLine });
    const product = await createProduct({
      config,
      mode,
      connection: database.connection,
      ...connections,
      databaseKind: 'external',
      clock,
      log,
      secrets: openSecrets({ config, log }),
      version: '1.0.0',
      thread,
      ...(channels ? { channels } : {}),
      ...(rails ? { rails } : {}),
      ...(mode === 'demo' && past ? { openPast: () => startPastMarket(config, SEED) } : {}),
    });
    products.push(product);
    return product;
  }

  const product = await openProduct({});
  return {
    product,
    sandbox,
    clock,
    connection: database.connection,
    get: async (url, headers = {}) => product.app.inject({ url, headers }),
    async job(name, payload) {
      await product.scheduler.runManually(name, payload);
      await product.refresh();
    },
    advance: (ms) => clock.advance(ms),
    another: (overrides = {}) => openProduct(overrides),
    async stop() {
      for (const each of products) await each.stop();
      sandbox.faults.clear();
      if ('drop' in database) await database.drop();
      await rm(exportsFolder, { recursive: true, force: true });
    },
  };
}
