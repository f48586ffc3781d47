import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { findBinaries } from './binaries.ts';
import { createCluster, findMajor } from './cluster.ts';
import { createHome, createPassword, findHome } from './home.ts';
import { adoptOrStart, type Connection, findRunningServer, openSession, socketPath, toConnection } from './launch.ts';
import { AppStartError, DataDirInUseError } from './process.ts';
import { escalateShutdown, findServerPid, limitLogSize, stopServer } from './server-process.ts';

const CHECK_INTERVAL_MS = 250;
/** A server that ran this long has recovered: its next crash counts as the first. */
const STABLE_MS = 60_000;
const RESTART_DELAYS_MS = [0, 500, 1000, 2000, 5000, 10_000];
const MAX_RESTART_DELAY_MS = 15_000;

type SupervisorOptions = {
  isRunning: () => boolean;
  /** Called while the server runs: turns a smart shutdown, which waits for sessions, into a fast one. */
  hurryShutdown: () => void;
  start: (signal: AbortSignal) => Promise<void>;
  warn: (line: string) => void;
};

/**
 * Restarts the server when it dies while the product runs: immediately the first time, then with increasing delays, so
 * that a broken server does not overload the machine. It never gives up: reads continue.
 */
function superviseServer({ isRunning, hurryShutdown, start, warn }: SupervisorOptions): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  let deaths = 0;
  let lastSeen = 0;

  async function restart(): Promise<void> {
    if (performance.now() - lastSeen > STABLE_MS) deaths = 0;
    const pause = RESTART_DELAYS_MS[deaths] ?? MAX_RESTART_DELAY_MS;
    deaths += 1;
    await sleep(pause, undefined, { signal, ref: false });
    try {
      await start(signal);
      lastSeen = performance.now();
      warn('The bundled PostgreSQL runs again.');
    } catch (error) {
      if (signal.aborted) return;
      const next = RESTART_DELAYS_MS[deaths] ?? MAX_RESTART_DELAY_MS;
      warn(
        `The bundled PostgreSQL could not be started again: ${(error as Error).message} Next try in ${next / 1000} s.`,
      );
    }
  }

  async function watch(): Promise<void> {
    let up = true;
    while (!signal.aborted) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false });
      if (isRunning()) {
        up = true;
        hurryShutdown();
        continue;
      }
      if (up) warn('The bundled PostgreSQL has ended under the running product. It is started again.');
      up = false;
      await restart();
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    async stop() {
      ending.abort();
      await watching;
    },
  };
}

export type RunningPostgres = {
  kind: 'bundled';
  connection: Connection;
  version: string;
  dataDir: string;
  /** The server was left running by a killed product; this one owns it now. */
  adopted: boolean;
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  log: (line: string) => void;
  /** Receives warnings about a database server that died while the product runs. Default: `log`. */
  warn?: (line: string) => void;
  /** Cancels a start in progress; nothing it started is left behind. */
  signal?: AbortSignal;
  /** Called when the process of a new server has been created; it takes a second to answer. */
  onSpawn?: (() => void) | undefined;
  /** False only in tests: data may be lost when the machine crashes. */
  durable?: boolean;
  /** Where root stores programs and data that other users cannot reach in their own place. */
  systemDir?: string;
};

const SYSTEM_DIR = '/var/lib/meridian';
const NEVER_ABORTED = new AbortController().signal;

/**
 * Starts the bundled PostgreSQL of `dataDir`, or takes over one left running by a killed product. Throws AppStartError,
 * whose message is one sentence for the operator.
 */
export async function startBundledPostgres(options: Options): Promise<RunningPostgres> {
  const { dataDir, log, warn = log, durable = true, systemDir = SYSTEM_DIR, signal = NEVER_ABORTED } = options;
  const { onSpawn = () => undefined } = options;
  if (process.platform === 'win32') {
    throw new AppStartError(
      'The bundled PostgreSQL does not run on Windows: set DATABASE_URL=postgres://user:password@host:5432/database.',
    );
  }
  const home = createHome({ dataDir, systemDir, log });
  const binaries = await findBinaries({ account: home.account, systemDir, major: findMajor(home), log });
  const password = createPassword(home);
  signal.throwIfAborted();
  await createCluster({ home, binaries, password, durable, signal });

  const connection = toConnection(home);
  const launch = { dataDir, home, binaries, connection, durable, log: warn, onSpawn };
  let { session, adopted } = await adoptOrStart({ ...launch, signal });
  const { serverVersion: version } = session;
  const stopTrimming = limitLogSize(home);
  const keeper = superviseServer({
    isRunning: () => findServerPid(home) !== undefined,
    hurryShutdown: () => escalateShutdown(home),
    async start(ending) {
      await session.end();
      ({ session } = await adoptOrStart({ ...launch, signal: ending }));
    },
    warn,
  });
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    stopTrimming();
    await keeper.stop();
    await session.end();
    await stopServer(home);
  }
  return {
    kind: 'bundled',
    connection,
    version,
    dataDir,
    adopted,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The connection of the server that currently runs on `dataDir`. */
export function findBundledPostgres(dataDir: string): Connection | undefined {
  const home = findHome(dataDir);
  return home && findServerPid(home) && existsSync(socketPath(home)) ? toConnection(home) : undefined;
}

/** For a command such as a manual job run: joins the server of the product that runs on `dataDir`, or starts one. */
export async function joinBundledPostgres(
  options: Options,
): Promise<Pick<RunningPostgres, 'connection' | 'dataDir' | 'stop'> & { version?: string }> {
  const { dataDir, signal = NEVER_ABORTED } = options;
  for (;;) {
    const home = findHome(dataDir);
    const connection = home && (await findRunningServer(home, signal));
    if (connection) return { connection, dataDir, stop: async () => undefined };
    try {
      return await startBundledPostgres(options);
    } catch (error) {
      // Another product started in the meantime.
      if (!(error instanceof DataDirInUseError)) throw error;
    }
  }
}

/** Where the server of `dataDir` writes, which LOCATION may have redirected. */
export function findDataFolder(dataDir: string): string | undefined {
  return findHome(dataDir)?.cluster;
}

/** Stops a server left running on `dataDir` by a killed product; false when none runs. */
export async function stopBundledPostgres(dataDir: string): Promise<boolean> {
  const home = findHome(dataDir);
  if (!home || !findServerPid(home)) return false;
  const session = await openSession(toConnection(home), () => {});
  await session.end();
  if (!session.holdsLock) {
    throw new AppStartError(`Meridian is running on DATA_DIR ${dataDir}. Stop it, and its database stops too.`);
  }
  await stopServer(home);
  return true;
}
