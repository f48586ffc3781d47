import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type Home, SOCKET_PORT } from './home.ts';
import { isAlive } from './process.ts';
import { findServerPid, type ServerProcess, spawnServer } from './server-process.ts';
import { type Connection, connectionOf, findOwner, openSession, type Session } from './session.ts';
import { AppStartError, DataDirTaken } from './start-error.ts';

type Launch = {
  dataDir: string;
  home: Home;
  binaries: Binaries;
  connection: Connection;
  durable: boolean;
  log: (line: string) => void;
  /** Ends the attempt; a server that is on its way up goes down again. */
  signal: AbortSignal;
};

const STEP_MS = 10;
const FULL_BELOW_BYTES = 1024 * 1024;
const READY_TIMEOUT_MS = 120_000;
const RETRY_FOR_MS = 20_000;
const RETRY_EVERY_MS = 200;
// A killed product's session may outlive it for a moment.
const SECOND_PRODUCT_AFTER_MS = 1000;
const PASSING =
  /lock file|shared memory|starting up|shutting down|not yet accepting|in recovery|ECONNREFUSED|ENOENT|terminat|client lost|timeout expired/;

/**
 * Takes over the server that runs on the data, or starts one. The shared memory and the pid of a killed server
 * outlive it briefly, so what fails now may succeed in a moment.
 */
export async function adoptOrStart(launch: Launch): Promise<{ session: Session; adopted: boolean }> {
  const begin = performance.now();
  const since = () => performance.now() - begin;
  let takenSince: number | undefined;
  for (;;) {
    launch.signal.throwIfAborted();
    try {
      let session = await findOrphan(launch);
      const adopted = session !== undefined;
      session ??= await startServer(launch);
      if (session.holdsLock) {
        if (!adopted || !isAlive(session.supervisor) || since() > RETRY_FOR_MS) return { session, adopted };
        // Its shell lives: the server is about to stop, or its product is about to take the lock.
        await session.end();
      } else {
        await session.end();
        takenSince ??= since();
        if (since() - takenSince > SECOND_PRODUCT_AFTER_MS) {
          throw new DataDirTaken(`Another Meridian is already running on DATA_DIR ${launch.dataDir}.`);
        }
      }
    } catch (error) {
      if (error instanceof AppStartError || !PASSING.test((error as Error).message)) throw error;
      if (since() > RETRY_FOR_MS) {
        throw new AppStartError(`PostgreSQL did not start: ${(error as Error).message}`);
      }
    }
    await sleep(RETRY_EVERY_MS, undefined, { signal: launch.signal });
  }
}

export function socketOf(home: Home): string {
  return join(home.socketDir, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * The server of a product that lives, for a command beside it; undefined when none runs, or one that a killed product left.
 * As long as the server's process lives the answer is waited for, however late it is.
 */
export async function findLivingServer(home: Home, signal: AbortSignal): Promise<Connection | undefined> {
  const connection = connectionOf(home);
  for (const begin = performance.now(); findServerPid(home); await sleep(RETRY_EVERY_MS, undefined, { signal })) {
    if (performance.now() - begin > READY_TIMEOUT_MS) {
      throw new AppStartError(
        `PostgreSQL is running but has not responded for ${READY_TIMEOUT_MS / 1000} s. See ${home.logFile}.`,
      );
    }
    if (!existsSync(socketOf(home))) continue;
    const owner = await findOwner(connection).catch((error: Error) => {
      if (!PASSING.test(error.message)) throw error;
    });
    if (owner?.isOwned) return connection;
    // While its shell lives, its product is about to take the lock, or the server is about to stop.
    if (owner && !isAlive(owner.supervisor)) return undefined;
  }
  return undefined;
}

async function findOrphan({ home, connection, log }: Launch): Promise<Session | undefined> {
  if (!findServerPid(home) || !existsSync(socketOf(home))) return undefined;
  return openSession(connection, log);
}

async function startServer(launch: Launch): Promise<Session> {
  const server = spawnServer(launch.home, launch.binaries, launch.durable);
  try {
    return await waitForServer(server, launch);
  } catch (error) {
    await server.abandon();
    throw error;
  }
}

async function waitForServer(server: ServerProcess, { home, connection, log, signal }: Launch): Promise<Session> {
  const begin = performance.now();
  for (;;) {
    signal.throwIfAborted();
    if (server.hasExited()) throw startFailure(server.output(), home);
    if (existsSync(socketOf(home))) {
      const session = await openSession(connection, log).catch((error: Error) => {
        if (!PASSING.test(error.message)) throw error;
      });
      if (session) return session;
    }
    if (performance.now() - begin > READY_TIMEOUT_MS) {
      throw new AppStartError(`PostgreSQL was not ready after ${READY_TIMEOUT_MS / 1000} s. See ${home.logFile}.`);
    }
    await sleep(STEP_MS);
  }
}

function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BELOW_BYTES;
}

function startFailure(output: string, home: Home): Error {
  // On a full disk PostgreSQL may not even be able to write down why it stops.
  const silence = isDiskFull(home.folder) ? 'the disk of DATA_DIR is full' : `see ${home.logFile}`;
  const reason = /(?:FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? silence;
  return PASSING.test(reason) ? new Error(reason) : new AppStartError(`PostgreSQL did not start: ${reason}.`);
}
