import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

import type { Binaries } from './binaries.ts';
import { SUPERUSER } from './cluster.ts';
import { type Home, readPassword, SOCKET_PORT } from './home.ts';
import { AppStartError, DataDirInUseError, isAlive } from './process.ts';
import { findServerPid, type ServerProcess, spawnServer } from './server-process.ts';

export type Connection = { host: string; port: number; user: string; password: string };

// Any fixed number: it identifies "a living product" among the advisory locks of database postgres.
const PRODUCT_LOCK = 5_737_001;
const CONNECT_TIMEOUT_MS = 5000;
const RELOCK_INTERVAL_MS = 1000;

/** The one session that holds the lock, open while the product lives. */
type Session = { holdsLock: boolean; serverVersion: string; supervisor: number; end(): Promise<void> };

export function toConnection(home: Home): Connection {
  return { host: home.socketDir, port: SOCKET_PORT, user: SUPERUSER, password: readPassword(home) };
}

async function connect(connection: Connection): Promise<Client> {
  const client = new Client({
    ...connection,
    database: 'postgres',
    application_name: 'meridian-lock',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  return client;
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [PRODUCT_LOCK]);
  return rows[0]?.locked ?? false;
}

/** Whether a living product holds the lock, and the shell its server runs under. Takes no lock itself. */
async function findOwner(connection: Connection): Promise<{ isOwned: boolean; supervisor: number }> {
  const client = await connect(connection);
  try {
    const { rows } = await client.query<{ owned: boolean; supervisor: string | null }>(
      `select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted) as owned,
         current_setting('meridian.supervisor', true) as supervisor`,
      [PRODUCT_LOCK],
    );
    return { isOwned: rows[0]?.owned ?? false, supervisor: Number(rows[0]?.supervisor ?? 0) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Rejects when no server answers; `holdsLock` is false when another product holds it. */
export async function openSession(connection: Connection, log: (line: string) => void): Promise<Session> {
  let client = await connect(connection);
  const ending = new AbortController();

  // A server that crashed and recovered has lost the lock while this product lives on.
  async function relock(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(RELOCK_INTERVAL_MS, undefined, { ref: false });
      if (ending.signal.aborted) return;
      const next = await connect(connection).catch(() => undefined);
      if (!next) continue;
      if (await tryLock(next).catch(() => false)) {
        client = next;
        client.once('end', () => void relock());
        return;
      }
      await next.end().catch(() => {});
      log('Another process holds the lock on DATA_DIR.');
    }
  }

  try {
    const { rows } = await client.query<{ version: string; supervisor: string | null }>(
      `select current_setting('server_version') as version, current_setting('meridian.supervisor', true) as supervisor`,
    );
    const holdsLock = await tryLock(client);
    if (holdsLock) client.once('end', () => void relock());
    return {
      holdsLock,
      serverVersion: rows[0]?.version.split(' ')[0] ?? '',
      supervisor: Number(rows[0]?.supervisor ?? 0),
      end: async () => {
        ending.abort();
        await client.end().catch(() => {});
      },
    };
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

type Launch = {
  dataDir: string;
  home: Home;
  binaries: Binaries;
  connection: Connection;
  durable: boolean;
  log: (line: string) => void;
  /** Cancels the attempt; a server that is starting is stopped again. */
  signal: AbortSignal;
  /** Called when the process of a new server has been created. */
  onSpawn: () => void;
};

const STEP_MS = 10;
const FULL_BELOW_BYTES = 1024 * 1024;
const READY_TIMEOUT_MS = 120_000;
const RETRY_TIMEOUT_MS = 20_000;
const RETRY_INTERVAL_MS = 200;
// The session of a killed product may outlive it for a moment.
const SECOND_PRODUCT_AFTER_MS = 1000;
const TRANSIENT_ERRORS =
  /lock file|shared memory|starting up|shutting down|not yet accepting|in recovery|ECONNREFUSED|ENOENT|terminat|client lost|timeout expired/;

/**
 * Takes over the server that runs on the data, or starts one. The shared memory and the pid of a killed server outlive
 * it briefly, so a failed attempt may succeed a moment later.
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
        if (!adopted || !isAlive(session.supervisor) || since() > RETRY_TIMEOUT_MS) return { session, adopted };
        // Its shell is alive: the server is about to stop, or its product is about to take the lock.
        await session.end();
      } else {
        await session.end();
        takenSince ??= since();
        if (since() - takenSince > SECOND_PRODUCT_AFTER_MS) {
          throw new DataDirInUseError(`Another Meridian is already running on DATA_DIR ${launch.dataDir}.`);
        }
      }
    } catch (error) {
      if (error instanceof AppStartError || !TRANSIENT_ERRORS.test((error as Error).message)) throw error;
      if (since() > RETRY_TIMEOUT_MS) {
        throw new AppStartError(`PostgreSQL did not start: ${(error as Error).message}`);
      }
    }
    await sleep(RETRY_INTERVAL_MS, undefined, { signal: launch.signal });
  }
}

export function socketPath(home: Home): string {
  return join(home.socketDir, `.s.PGSQL.${SOCKET_PORT}`);
}

/**
 * The server of a living product, for a command that runs next to it; undefined when no server runs, or one left by a
 * killed product. Waits for a response as long as the server process lives.
 */
export async function findRunningServer(home: Home, signal: AbortSignal): Promise<Connection | undefined> {
  const connection = toConnection(home);
  for (const begin = performance.now(); findServerPid(home); await sleep(RETRY_INTERVAL_MS, undefined, { signal })) {
    if (performance.now() - begin > READY_TIMEOUT_MS) {
      throw new AppStartError(
        `PostgreSQL is running but has not responded for ${READY_TIMEOUT_MS / 1000} s. See ${home.logFile}.`,
      );
    }
    if (!existsSync(socketPath(home))) continue;
    const owner = await findOwner(connection).catch((error: Error) => {
      if (!TRANSIENT_ERRORS.test(error.message)) throw error;
    });
    if (owner?.isOwned) return connection;
    // While its shell is alive, its product is about to take the lock, or the server is about to stop.
    if (owner && !isAlive(owner.supervisor)) return undefined;
  }
  return undefined;
}

async function findOrphan({ home, connection, log }: Launch): Promise<Session | undefined> {
  if (!findServerPid(home) || !existsSync(socketPath(home))) return undefined;
  return openSession(connection, log);
}

async function startServer(launch: Launch): Promise<Session> {
  const server = spawnServer(launch.home, launch.binaries, launch.durable);
  launch.onSpawn();
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
    if (existsSync(socketPath(home))) {
      const session = await openSession(connection, log).catch((error: Error) => {
        if (!TRANSIENT_ERRORS.test(error.message)) throw error;
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
  // On a full disk PostgreSQL may not even be able to log why it stops.
  const silence = isDiskFull(home.folder) ? 'the disk of DATA_DIR is full' : `see ${home.logFile}`;
  const reason = /(?:FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? silence;
  return TRANSIENT_ERRORS.test(reason) ? new Error(reason) : new AppStartError(`PostgreSQL did not start: ${reason}.`);
}
