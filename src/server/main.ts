import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z as mini } from 'zod/mini';

import type { DataMode } from '#shared/provenance.ts';

import { decideDataMode, hasLiveData, probeLive } from './data-mode.ts';
import { startDemoMarket } from './demo-market.ts';
import { migrate } from './migrations.ts';
import { createClock } from './platform/clock.ts';
import { type Config, ConfigError, loadConfig } from './platform/config.ts';
import { type Connection, openDatabase } from './platform/db.ts';
import { AppError, messageOf } from './platform/errors.ts';
import { claimInstallation, WrongDataMode } from './platform/installation.ts';
import { createLog } from './platform/log.ts';
import { stopBundledPostgres } from './platform/postgres/bundled-postgres.ts';
import { AppStartError } from './platform/postgres/start-error.ts';
import { createProduct, type Product } from './product.ts';
import { openStorage } from './storage.ts';

mini.config(mini.locales.en());

const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const LISTEN_REFUSALS = new Set(['EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

type Running = { product: Product; stop: () => Promise<void>; lines: string[] };

/** The seed the database was made with stands: another one would tear its past from its present. */
async function claim(connection: Connection, mode: DataMode, seed: number, now: Date): Promise<number> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  try {
    return await claimInstallation(db, mode, seed, now);
  } finally {
    await close();
  }
}

async function boot(config: Config, attach: boolean): Promise<Running> {
  const log = createLog(config.LOG_LEVEL);
  const clock = createClock();
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.toReversed())
      await step().catch((error: unknown) => log.error({ error: messageOf(error) }, 'shutdown'));
  };
  try {
    const probing = config.DATA_MODE === 'auto' && !config.production ? probeLive(config) : Promise.resolve(false);
    probing.catch(() => undefined);
    const storage = await openStorage(config, (line) => log.info(line), attach);
    undo.push(storage.stop);
    const { mode, why } = await decideDataMode(config, {
      probe: () => probing,
      liveData: () => hasLiveData(storage.connectionTo('live')),
    });
    if (mode === 'demo' && !isLoopback(config.HOST) && !config.DEMO_PUBLIC) {
      throw new AppStartError(
        `Demo data are not shown to a network: HOST=${config.HOST} needs DATA_MODE=live, or DEMO_PUBLIC=1 if you mean it.`,
      );
    }
    const connection = await storage.prepare(mode);
    await migrate(connection);
    const seed = await claim(connection, mode, config.DEMO_SEED, clock.now());
    const demo = mode === 'demo' ? await startDemoMarket(config, seed) : null;
    if (demo) undo.push(demo.close);
    const product = await createProduct({
      config: demo?.config ?? config,
      mode,
      connection,
      databaseKind: storage.kind,
      clock,
      log,
      version: VERSION,
    });
    undo.push(product.stop);
    return {
      product,
      stop,
      lines: [`data mode ${mode}${mode === 'demo' ? ` (seed ${seed})` : ''}: ${why}`, `database  ${storage.label}`],
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(config: Config): Promise<void> {
  const { product, stop, lines } = await boot(config, false);
  let stopping = false;
  const onSignal = () => {
    if (stopping) return;
    stopping = true;
    const limit = setTimeout(() => process.exit(1), 20_000);
    limit.unref();
    void stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  if (config.ROLE !== 'worker') {
    const { port } = await product.listen().catch(async (error: NodeJS.ErrnoException) => {
      await stop();
      if (error.code === 'EADDRINUSE') {
        throw new AppStartError(
          `Port ${config.PORT} on ${config.HOST} is taken by another program: set PORT to a free one.`,
        );
      }
      if (LISTEN_REFUSALS.has(error.code ?? '')) {
        throw new AppStartError(`Cannot listen on HOST=${config.HOST} PORT=${config.PORT}: ${error.message}`);
      }
      throw error;
    });
    lines.unshift(`address   http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`);
  }
  await product.work();
  console.log(`\n  Meridian ${VERSION}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('bad_request', `The payload is not JSON: ${text}`);
  }
}

async function runJob(config: Config, [name, payload]: string[]): Promise<void> {
  const { product, stop } = await boot(
    { ...config, LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL },
    true,
  );
  try {
    await product.scheduler.runByHand(name ?? '', payload ? parsePayload(payload) : undefined);
    console.log(`${name}: done`);
  } finally {
    await stop();
  }
}

async function main([command, ...args]: string[]): Promise<void> {
  const config = loadConfig();
  if (command === 'job') await runJob(config, args);
  else if (command === 'db:stop')
    console.log(
      (await stopBundledPostgres(config.dataDir))
        ? 'The bundled PostgreSQL was stopped.'
        : 'No bundled PostgreSQL runs.',
    );
  else await start(config);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const expected = [AppStartError, ConfigError, WrongDataMode, AppError].some((type) => error instanceof type);
  console.error(expected ? messageOf(error) : error);
  process.exit(1);
});
