import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SUPERUSER } from './cluster.ts';
import { type Home, readPassword, SOCKET_PORT } from './home.ts';

export type Connection = { host: string; port: number; user: string; password: string };

// Any fixed number: it names "a living product" among the advisory locks of database postgres.
const LIVING_PRODUCT = 5_737_001;
const CONNECT_TIMEOUT_MS = 5000;
const RELOCK_EVERY_MS = 1000;

/** The one session that holds the lock; it is kept for as long as the product lives. */
export type Session = { holdsLock: boolean; serverVersion: string; supervisor: number; end(): Promise<void> };

export function connectionOf(home: Home): Connection {
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
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    LIVING_PRODUCT,
  ]);
  return rows[0]?.locked ?? false;
}

/** Whether a living product holds the lock, and the shell its server runs under. Takes no lock itself. */
export async function findOwner(connection: Connection): Promise<{ isOwned: boolean; supervisor: number }> {
  const client = await connect(connection);
  try {
    const { rows } = await client.query<{ owned: boolean; supervisor: string | null }>(
      `select exists (select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted) as owned,
         current_setting('meridian.supervisor', true) as supervisor`,
      [LIVING_PRODUCT],
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

  // A server that crashed and recovered has forgotten the lock while this product lives on.
  async function lockAgain(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(RELOCK_EVERY_MS, undefined, { ref: false });
      if (ending.signal.aborted) return;
      const next = await connect(connection).catch(() => undefined);
      if (!next) continue;
      if (await tryLock(next).catch(() => false)) {
        client = next;
        client.once('end', () => void lockAgain());
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
    if (holdsLock) client.once('end', () => void lockAgain());
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
