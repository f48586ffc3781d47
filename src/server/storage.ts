import pg from 'pg';

import type { Config } from './platform/config.ts';
import type { Connection } from './platform/db.ts';
import { messageOf } from './platform/errors.ts';
import type { Log } from './platform/log.ts';
import { findBundledPostgres, findDataFolder, startBundledPostgres } from './platform/postgres/bundled-postgres.ts';
import { ensureDatabase } from './platform/postgres/databases.ts';
import { AppStartError } from './platform/postgres/start-error.ts';

export type Storage = {
  kind: 'bundled' | 'external';
  /** For people: which database the product runs on. */
  label: string;
  connectionTo: (mode: 'live' | 'demo') => Connection;
  /** Creates the mode's database when it is missing. */
  prepare: (mode: 'live' | 'demo') => Promise<Connection>;
  /** Where the bundled database writes. */
  folder: string | null;
  stop: () => Promise<void>;
};

const BUNDLED_NAME = 'meridian';
const CONNECT_TIMEOUT_MS = 10_000;
const nameFor = (name: string, mode: 'live' | 'demo') => (mode === 'demo' ? `${name}_demo` : name);

type Options = {
  log: Log;
  /** Ends a start that is under way. */
  signal: AbortSignal;
  /** Joins a bundled server that runs already, for jobs by hand. */
  attach: boolean;
};

/** DATABASE_URL, or the bundled PostgreSQL. */
export async function openStorage(config: Config, { log, signal, attach }: Options): Promise<Storage> {
  if (config.DATABASE_URL) return external(config.DATABASE_URL);
  const running = attach ? findBundledPostgres(config.dataDir) : undefined;
  if (running && (await answers(running))) return bundled(running, config.dataDir, async () => undefined);
  const server = await startBundledPostgres({
    dataDir: config.dataDir,
    log: (line) => log.info(line),
    warn: (line) => log.warn(line),
    signal,
  });
  return bundled(server.connection, server.dataDir, () => server.stop(), server.version);
}

async function answers(connection: Connection): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The address is the operator's, so what is wrong with it is told in one sentence. */
async function refuseUnlessReachable(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const reason = messageOf(error) || String((error as { code?: string }).code);
    throw new AppStartError(`The database of DATABASE_URL cannot be used: ${reason}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function bundled(server: Connection, dataDir: string, stop: () => Promise<void>, version = ''): Storage {
  const connectionTo = (mode: 'live' | 'demo') => ({ ...server, database: nameFor(BUNDLED_NAME, mode) });
  return {
    kind: 'bundled',
    label: `bundled PostgreSQL ${version} in ${dataDir}`.replace('  ', ' '),
    connectionTo,
    async prepare(mode) {
      await ensureDatabase(server, nameFor(BUNDLED_NAME, mode));
      return connectionTo(mode);
    },
    folder: findDataFolder(dataDir) ?? null,
    stop,
  };
}

function external(address: string): Storage {
  const name = decodeURIComponent(new URL(address).pathname.slice(1)) || 'postgres';
  const connectionTo = (mode: 'live' | 'demo'): Connection => {
    const url = new URL(address);
    url.pathname = `/${encodeURIComponent(nameFor(name, mode))}`;
    return { connectionString: url.href };
  };
  return {
    kind: 'external',
    label: `PostgreSQL at ${new URL(address).host || 'a local socket'}, database ${name}`,
    connectionTo,
    async prepare(mode) {
      await refuseUnlessReachable({ connectionString: address });
      if (mode === 'demo') await ensureDatabase({ connectionString: address }, nameFor(name, mode));
      return connectionTo(mode);
    },
    folder: null,
    stop: async () => undefined,
  };
}
