import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { findMajor, makeCluster } from './cluster.ts';
import { findHome, type Home, makeHome, makePassword, SOCKET_PORT } from './home.ts';
import { isAlive } from './process.ts';
import { findServerPid, keepLogShort, type ServerProcess, spawnServer, stopServer } from './server-process.ts';
import { type Connection, connectionOf, openSession, type Session } from './session.ts';
import { AppStartError } from './start-error.ts';

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
  /** False only in tests: what a crash of the machine would lose is not kept. */
  durable?: boolean;
  /** Where root keeps programs and data that no other user can reach in their own place. */
  systemDir?: string;
};

type Found = { session: Session; adopted: boolean };

const SYSTEM_DIR = '/var/lib/meridian';
const STEP_MS = 10;
const READY_TIMEOUT_MS = 120_000;
const RETRY_FOR_MS = 20_000;
const RETRY_EVERY_MS = 200;
// A killed product's session may outlive it for a moment.
const SECOND_PRODUCT_AFTER_MS = 1000;
const PASSING =
  /lock file|shared memory|starting up|shutting down|not yet accepting|in recovery|ECONNREFUSED|ENOENT|terminat/;

/**
 * Starts the bundled PostgreSQL of `dataDir`, or takes over one that a killed product left.
 * Throws AppStartError, whose message is one sentence for the operator.
 */
export async function startBundledPostgres(options: Options): Promise<RunningPostgres> {
  const { dataDir, log, durable = true, systemDir = SYSTEM_DIR } = options;
  if (process.platform === 'win32') {
    throw new AppStartError(
      'The bundled PostgreSQL does not run on Windows: set DATABASE_URL=postgres://user:password@host:5432/database.',
    );
  }
  const home = makeHome({ dataDir, systemDir, log });
  const binaries = await findBinaries({ account: home.account, systemDir, major: findMajor(home), log });
  const password = makePassword(home);
  await makeCluster({ home, binaries, password, durable });

  const connection = connectionOf(home);
  const { session, adopted } = await adoptOrStart({
    dataDir,
    adopt: () => findOrphan(home, connection, log),
    start: () => waitForServer(spawnServer(home, binaries, durable), home, connection, log),
  });
  const stopTrimming = keepLogShort(home);
  let stopped: Promise<void> | undefined;
  return {
    kind: 'bundled',
    connection,
    version: session.serverVersion,
    dataDir,
    adopted,
    stop: () => {
      stopTrimming();
      stopped ??= session.end().then(() => stopServer(home));
      return stopped;
    },
  };
}

/** The shared memory and the pid of a killed server outlive it briefly, so what fails now may succeed in a moment. */
async function adoptOrStart(options: {
  dataDir: string;
  adopt: () => Promise<Session | undefined>;
  start: () => Promise<Session>;
}): Promise<Found> {
  const begin = performance.now();
  const since = () => performance.now() - begin;
  for (;;) {
    try {
      let session = await options.adopt();
      const adopted = session !== undefined;
      session ??= await options.start();
      if (session.holdsLock) {
        if (!adopted || !isAlive(session.supervisor) || since() > RETRY_FOR_MS) return { session, adopted };
        // Its shell lives: the server is about to stop, or its product is about to take the lock.
        await session.end();
      } else {
        await session.end();
        if (since() > SECOND_PRODUCT_AFTER_MS) {
          throw new AppStartError(`Another Meridian is already running on DATA_DIR ${options.dataDir}.`);
        }
      }
    } catch (error) {
      if (error instanceof AppStartError || !PASSING.test((error as Error).message)) throw error;
      if (since() > RETRY_FOR_MS) {
        throw new AppStartError(`PostgreSQL does not start: ${(error as Error).message}`);
      }
    }
    await sleep(RETRY_EVERY_MS);
  }
}

function socketOf(home: Home): string {
  return join(home.socketDir, `.s.PGSQL.${SOCKET_PORT}`);
}

async function findOrphan(home: Home, connection: Connection, log: (line: string) => void) {
  if (!findServerPid(home) || !existsSync(socketOf(home))) return undefined;
  return openSession(connection, log);
}

async function waitForServer(
  server: ServerProcess,
  home: Home,
  connection: Connection,
  log: (line: string) => void,
): Promise<Session> {
  const begin = performance.now();
  for (;;) {
    if (server.hasExited()) throw startFailure(server.output(), home);
    if (existsSync(socketOf(home))) {
      const session = await openSession(connection, log).catch((error: Error) => {
        if (!PASSING.test(error.message)) throw error;
      });
      if (session) return session;
    }
    if (performance.now() - begin > READY_TIMEOUT_MS) {
      throw new AppStartError(`PostgreSQL is not ready after ${READY_TIMEOUT_MS / 1000} s: see ${home.logFile}.`);
    }
    await sleep(STEP_MS);
  }
}

function startFailure(output: string, home: Home): Error {
  const reason = /(?:FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? `see ${home.logFile}`;
  return PASSING.test(reason) ? new Error(reason) : new AppStartError(`PostgreSQL does not start: ${reason}.`);
}

/** The connection of the server that runs on `dataDir`, for a second process such as a job run by hand. */
export function findBundledPostgres(dataDir: string): Connection | undefined {
  const home = findHome(dataDir);
  return home && findServerPid(home) && existsSync(socketOf(home)) ? connectionOf(home) : undefined;
}

/** Stops a server that a killed product left on `dataDir`; false when none runs. */
export async function stopBundledPostgres(dataDir: string): Promise<boolean> {
  const home = findHome(dataDir);
  if (!home || !findServerPid(home)) return false;
  const session = await openSession(connectionOf(home), () => {});
  await session.end();
  if (!session.holdsLock) {
    throw new AppStartError(`Meridian is running on DATA_DIR ${dataDir}: stop it, and its database stops with it.`);
  }
  await stopServer(home);
  return true;
}
