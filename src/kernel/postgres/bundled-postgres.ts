import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { findBinaries } from './binaries.ts';
import { findMajor, makeCluster } from './cluster.ts';
import { findHome, makeHome, makePassword } from './home.ts';
import { adoptOrStart, type Connection, connectionOf, findLivingServer, openSession, socketOf } from './launch.ts';
import { AppStartError, DataDirTaken } from './process.ts';
import { findServerPid, hurrySmartShutdown, keepLogShort, stopServer } from './server-process.ts';

const LOOK_EVERY_MS = 250;
/** A server that stood this long has recovered: its next death is a first one again. */
const STEADY_MS = 60_000;
const PAUSES_MS = [0, 500, 1000, 2000, 5000, 10_000];
const LONGEST_PAUSE_MS = 15_000;

type KeeperOptions = {
  isRunning: () => boolean;
  /** Called while the server runs: one that waits for its sessions before it stops is to stop at once. */
  hurryShutdown: () => void;
  start: (signal: AbortSignal) => Promise<void>;
  warn: (line: string) => void;
};

/**
 * Starts the server again when it dies under a living product: at once the first time, then ever less often,
 * so that a server that cannot stand does not wear the machine out. It never gives up: reads go on meanwhile.
 */
function keepServer({ isRunning, hurryShutdown, start, warn }: KeeperOptions): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  let deaths = 0;
  let lastSeen = 0;

  async function restart(): Promise<void> {
    if (performance.now() - lastSeen > STEADY_MS) deaths = 0;
    const pause = PAUSES_MS[deaths] ?? LONGEST_PAUSE_MS;
    deaths += 1;
    await sleep(pause, undefined, { signal, ref: false });
    try {
      await start(signal);
      lastSeen = performance.now();
      warn('The bundled PostgreSQL runs again.');
    } catch (error) {
      if (signal.aborted) return;
      const next = PAUSES_MS[deaths] ?? LONGEST_PAUSE_MS;
      warn(
        `The bundled PostgreSQL could not be started again: ${(error as Error).message} Next try in ${next / 1000} s.`,
      );
    }
  }

  async function watch(): Promise<void> {
    let up = true;
    while (!signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
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
  /** The server was left by a product that was killed; it is owned all the same. */
  adopted: boolean;
  stop(): Promise<void>;
};

type Options = {
  dataDir: string;
  log: (line: string) => void;
  /** Receives warnings about a database server that died while the product runs. Default: `log`. */
  warn?: (line: string) => void;
  /** Ends a start that is under way; nothing it started stays behind. */
  signal?: AbortSignal;
  /** False only in tests: what a crash of the machine would lose is not kept. */
  durable?: boolean;
  /** Where root keeps programs and data that no other user can reach in their own place. */
  systemDir?: string;
};

const SYSTEM_DIR = '/var/lib/meridian';
const NEVER = new AbortController().signal;

/**
 * Starts the bundled PostgreSQL of `dataDir`, or takes over one that a killed product left.
 * Throws AppStartError, whose message is one sentence for the operator.
 */
export async function startBundledPostgres(options: Options): Promise<RunningPostgres> {
  const { dataDir, log, warn = log, durable = true, systemDir = SYSTEM_DIR, signal = NEVER } = options;
  if (process.platform === 'win32') {
    throw new AppStartError(
      'The bundled PostgreSQL does not run on Windows: set DATABASE_URL=postgres://user:password@host:5432/database.',
    );
  }
  const home = makeHome({ dataDir, systemDir, log });
  const binaries = await findBinaries({ account: home.account, systemDir, major: findMajor(home), log });
  const password = makePassword(home);
  signal.throwIfAborted();
  await makeCluster({ home, binaries, password, durable, signal });

  const connection = connectionOf(home);
  const launch = { dataDir, home, binaries, connection, durable, log: warn };
  let { session, adopted } = await adoptOrStart({ ...launch, signal });
  const { serverVersion: version } = session;
  const stopTrimming = keepLogShort(home);
  const keeper = keepServer({
    isRunning: () => findServerPid(home) !== undefined,
    hurryShutdown: () => hurrySmartShutdown(home),
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

/** The connection of the server that runs on `dataDir`, as it is at this moment. */
export function findBundledPostgres(dataDir: string): Connection | undefined {
  const home = findHome(dataDir);
  return home && findServerPid(home) && existsSync(socketOf(home)) ? connectionOf(home) : undefined;
}

/** For a command such as a job run by hand: joins the server of the product that runs on `dataDir`, or starts one. */
export async function joinBundledPostgres(
  options: Options,
): Promise<Pick<RunningPostgres, 'connection' | 'dataDir' | 'stop'> & { version?: string }> {
  const { dataDir, signal = NEVER } = options;
  for (;;) {
    const home = findHome(dataDir);
    const connection = home && (await findLivingServer(home, signal));
    if (connection) return { connection, dataDir, stop: async () => undefined };
    try {
      return await startBundledPostgres(options);
    } catch (error) {
      // A product that was starting meanwhile.
      if (!(error instanceof DataDirTaken)) throw error;
    }
  }
}

/** Where the server of `dataDir` writes, which LOCATION may have put elsewhere. */
export function findDataFolder(dataDir: string): string | undefined {
  return findHome(dataDir)?.cluster;
}

/** Stops a server that a killed product left on `dataDir`; false when none runs. */
export async function stopBundledPostgres(dataDir: string): Promise<boolean> {
  const home = findHome(dataDir);
  if (!home || !findServerPid(home)) return false;
  const session = await openSession(connectionOf(home), () => {});
  await session.end();
  if (!session.holdsLock) {
    throw new AppStartError(`Meridian is running on DATA_DIR ${dataDir}. Stop it, and its database stops too.`);
  }
  await stopServer(home);
  return true;
}
