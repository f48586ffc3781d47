import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z as mini } from 'zod/mini';

import { findAuditFault } from '#kernel/audit.ts';
import { createClock } from '#kernel/clock.ts';
import { type Config, ConfigError, loadConfig } from '#kernel/config.ts';
import { followDatabaseClock } from '#kernel/database-clock.ts';
import { type Connection, type Db, isUnreachable, openDatabase } from '#kernel/db.ts';
import { AppError, errorMessage } from '#kernel/errors.ts';
import {
  assertInstallation,
  claimInstallation,
  WrongDataModeError,
  WrongSecretKeyError,
} from '#kernel/installation.ts';
import { createLog, type Log } from '#kernel/log.ts';
import { stopBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { openSecrets } from '#kernel/secrets.ts';
import { assertFinished } from './backup/databases.ts';
import { decideDataMode, hasLiveData, probeLive } from './data-mode.ts';
import { holdMarketLock, startDemoMarket, startPastMarket } from './demo-market.ts';
import { type Lifetime, live } from './lifetime.ts';
import { migrate } from './migrations.ts';
import type { Product } from './product.ts';
import { openStorage } from './storage.ts';

mini.config(mini.locales.en());

const VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const LISTEN_REFUSALS = new Set(['EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

async function withDatabase<T>(connection: Connection, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

type BootedServer = { product: Product; lines: string[] };

/** The database of the data mode, migrated. */
async function openMode(
  config: Config,
  log: Log,
  { signal, onEnd }: Lifetime,
  { attach, onSpawn }: { attach: boolean; onSpawn?: () => void },
) {
  const probing = config.DATA_MODE === 'auto' && !config.production ? probeLive(config) : Promise.resolve(false);
  probing.catch(() => undefined);
  const storage = await openStorage(config, { log, signal, attach, onSpawn });
  onEnd(storage.stop);
  signal.throwIfAborted();
  const { mode, why } = await decideDataMode(config, {
    probe: () => probing,
    liveData: () => hasLiveData(storage.connectionTo('live')),
  });
  if (mode === 'demo' && !isLoopback(config.HOST) && !config.DEMO_PUBLIC) {
    throw new AppStartError(
      `Demo mode listens on loopback only. To listen on HOST=${config.HOST}, set DATA_MODE=live, or DEMO_PUBLIC=1 to publish the demo.`,
    );
  }
  const ways = await storage.prepare(mode);
  signal.throwIfAborted();
  await assertFinished(ways.direct);
  const secrets = openSecrets({ config, log });
  await withDatabase(ways.direct, (db) => assertInstallation(db, { mode, secrets }));
  await migrate(ways.direct);
  return { storage, mode, why, ways, secrets };
}

async function boot(config: Config, log: Log, lifetime: Lifetime, attach: boolean): Promise<BootedServer> {
  const { signal, onEnd } = lifetime;
  const clock = createClock();
  const load = () => Promise.all([import('./product.ts'), import('#features/accounts/server/auth/service.ts')]);
  // Loaded while PostgreSQL starts; a failure is reported by the second call.
  const onSpawn = () => void load().catch(() => undefined);
  const { storage, mode, why, ways, secrets } = await openMode(config, log, lifetime, { attach, onSpawn });
  if (storage.kind === 'external') onEnd(await followDatabaseClock(ways.direct, clock, log));
  // The seed of the database is permanent: another one would make the present inconsistent with the past.
  const seed = await withDatabase(ways.connection, (db) =>
    claimInstallation(db, { mode, seed: config.DEMO_SEED, secrets }, clock.now()),
  );
  signal.throwIfAborted();
  if (mode === 'demo' && storage.kind === 'external' && !attach) onEnd(await holdMarketLock(config, ways.direct));
  const demo = mode === 'demo' ? await startDemoMarket(config, seed) : null;
  if (demo) onEnd(demo.close);
  signal.throwIfAborted();
  const [{ createProduct }, { DEMO_ACCOUNTS, DEMO_PASSWORD }] = await load();
  const product = await createProduct({
    config: demo?.config ?? config,
    mode,
    ...ways,
    databaseKind: storage.kind,
    databaseFolder: storage.folder,
    clock,
    log,
    secrets,
    version: VERSION,
    ...(demo ? { openPast: () => startPastMarket(demo.config, seed) } : {}),
  });
  onEnd(product.stop);
  signal.throwIfAborted();
  const seeded = mode === 'demo' ? ` (seed ${seed})` : '';
  const lines = [`data mode ${mode}${seeded}: ${why}`, `database  ${storage.label}`];
  if (mode === 'demo') lines.push(`sign in   ${DEMO_ACCOUNTS.map(({ email }) => email).join(', ')}: ${DEMO_PASSWORD}`);
  return { product, lines };
}

/** `group` is '' or 'METRICS_', for the setting names of the address. */
const listenFailure =
  (config: Config, group: '' | 'METRICS_') =>
  (error: NodeJS.ErrnoException): never => {
    const [host, port] = [config[`${group}HOST`], config[`${group}PORT`]];
    if (error.code === 'EADDRINUSE')
      throw new AppStartError(`Port ${port} on ${host} is in use by another program. Set ${group}PORT to a free one.`);
    if (!LISTEN_REFUSALS.has(error.code ?? '')) throw error;
    throw new AppStartError(`Cannot listen on ${group}HOST=${host} ${group}PORT=${port}: ${error.message}`);
  };

/** Checked first, because the database may take a while to start. */
async function assertPortsFree(config: Config): Promise<void> {
  const addresses = [
    ...(config.METRICS_PORT === undefined ? [] : (['METRICS_'] as const)),
    ...(config.ROLE === 'worker' ? [] : ([''] as const)),
  ];
  for (const group of addresses) {
    const probe = createServer();
    try {
      await once(probe.listen({ host: config[`${group}HOST`], port: config[`${group}PORT`] }), 'listening');
    } catch (error) {
      listenFailure(config, group)(error as NodeJS.ErrnoException);
    } finally {
      await new Promise((resolve) => {
        probe.close(resolve);
      });
    }
  }
}

/** By then the jobs of the start are done. */
const HEAP_TRIM_DELAY_MS = 180_000;

/** Startup leaves as much garbage as live data; V8 would keep it until the heap doubled. From here the heap grows slowly. */
function trimHeap(): void {
  setFlagsFromString('--heap-growing-percent=30');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, undefined, config.ROLE);
  await assertPortsFree(config);
  await live(log, async (lifetime) => {
    const { product, lines } = await boot(config, log, lifetime, false);
    lifetime.drainFor(config.ROLE === 'worker' ? 0 : config.DRAIN_SECONDS * 1000, product.lifecycle.stopping);
    const metricsAddress = await product.listenAside().catch(listenFailure(config, 'METRICS_'));
    if (metricsAddress)
      lines.push(
        `metrics   http://${metricsAddress.family === 'IPv6' ? `[${metricsAddress.address}]` : metricsAddress.address}:${metricsAddress.port}/metrics`,
      );
    if (config.ROLE !== 'worker') {
      const { port } = await product.listen().catch(listenFailure(config, ''));
      lines.unshift(`address   http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`);
    }
    await product.work();
    setTimeout(trimHeap, HEAP_TRIM_DELAY_MS).unref();
    console.log(`\n  Meridian ${VERSION}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
    await lifetime.interrupted;
  });
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request', `The payload is not valid JSON: ${text}`);
  }
}

async function runJob(config: Config, [name, payload]: string[]): Promise<void> {
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, undefined, 'job');
  const finished = await live(log, async (lifetime) => {
    const { product } = await boot(config, log, lifetime, true);
    await product.scheduler.runManually(name ?? '', payload ? parsePayload(payload) : undefined);
  });
  if (!finished) throw new AppStartError(`${name}: interrupted`);
  console.log(`${name}: done`);
}

async function verifyLedger(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, undefined, 'ledger:verify');
  let faults = -1;
  let broken: number | null = null;
  const finished = await live(log, async (lifetime) => {
    const { product } = await boot(config, log, lifetime, true);
    const found = await product.predictions.verify({ whole: true });
    console.log(
      `entries   ${found.entries}\nhead      ${found.head ?? 'none yet'}\nroots     ${found.roots}\nfaults    ${found.faults.length || 'none'}`,
    );
    for (const fault of found.faults) console.log(`  ${fault}`);
    faults = found.faults.length;
    broken = await findAuditFault(product.auth.ctx.db);
    console.log(`audit log ${broken === null ? 'intact' : `broken at entry ${broken}`}`);
  });
  if (!finished || faults < 0) throw new AppStartError('ledger:verify: interrupted');
  if (faults > 0) throw new AppStartError('The ledger is damaged.');
  if (broken !== null) throw new AppStartError('The audit log is damaged.');
}

async function rotateSecretKey(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, undefined, 'secrets:rotate');
  const finished = await live(log, async (lifetime) => {
    const { mode, ways } = await openMode(config, log, lifetime, { attach: true });
    const deps = {
      config,
      log,
      connection: ways.direct,
      signal: lifetime.signal,
      print: (line: string) => console.log(line),
    };
    const { rotateSecrets } = await import('./commands/secrets-rotate.ts');
    await rotateSecrets(deps, { mode, seed: config.DEMO_SEED, now: createClock().now() });
  });
  if (!finished) throw new AppStartError('secrets:rotate: interrupted; run it again to continue');
}

async function main([command, ...args]: string[]): Promise<void> {
  const config = loadConfig();
  if (command === 'job') await runJob(config, args);
  else if (command === 'ledger:verify') await verifyLedger(config);
  else if (command === 'secrets:rotate') await rotateSecretKey(config);
  else if (command === 'backup') await (await import('./commands/backup.ts')).backup(config, args, VERSION);
  else if (command === 'restore') await (await import('./commands/restore.ts')).restore(config, args);
  else if (command === 'move-db') await (await import('./commands/move-db.ts')).moveDb(config, args);
  else if (command === 'db:stop')
    console.log(
      (await stopBundledPostgres(config.dataDir))
        ? 'The bundled PostgreSQL was stopped.'
        : 'No bundled PostgreSQL is running.',
    );
  else await start(config);
}

// Node would print the line of the failure first, which is very long in a built file.
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(1);
});

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const expected = [AppStartError, ConfigError, WrongDataModeError, WrongSecretKeyError, AppError].some(
      (type) => error instanceof type,
    );
    if (expected) console.error(errorMessage(error));
    else console.error(isUnreachable(error) ? `Cannot connect to the database: ${errorMessage(error)}.` : error);
    process.exit(1);
  },
);
