import pg from 'pg';

import type { Config } from './platform/config.ts';
import type { Connection } from './platform/db.ts';
import { findBundledPostgres, startBundledPostgres } from './platform/postgres/bundled-postgres.ts';
import { ensureDatabase } from './platform/postgres/databases.ts';

export type Storage = {
  kind: 'bundled' | 'external';
  /** For people: which database the product runs on. */
  label: string;
  connectionTo: (mode: 'live' | 'demo') => Connection;
  /** Creates the mode's database when it is missing. */
  prepare: (mode: 'live' | 'demo') => Promise<Connection>;
  stop: () => Promise<void>;
};

const BUNDLED_NAME = 'meridian';
const nameFor = (name: string, mode: 'live' | 'demo') => (mode === 'demo' ? `${name}_demo` : name);

/** DATABASE_URL, or the bundled PostgreSQL. `attach` joins a bundled server that runs already, for jobs by hand. */
export async function openStorage(config: Config, log: (line: string) => void, attach = false): Promise<Storage> {
  if (config.DATABASE_URL) return external(config.DATABASE_URL);
  const running = attach ? findBundledPostgres(config.dataDir) : undefined;
  if (running && (await answers(running))) return bundled(running, config.dataDir, async () => undefined);
  const server = await startBundledPostgres({ dataDir: config.dataDir, log });
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
      if (mode === 'demo') await ensureDatabase({ connectionString: address }, nameFor(name, mode));
      return connectionTo(mode);
    },
    stop: async () => undefined,
  };
}
