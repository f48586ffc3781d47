import pg from 'pg';

import type { Config } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { errorMessage } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { findDataFolder, joinBundledPostgres, startBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { ensureDatabase, receivesNotifications } from '#kernel/postgres/pooler.ts';
import { AppStartError } from '#kernel/postgres/process.ts';

/** The connections to one database. */
export type ConnectionModes = {
  connection: Connection;
  /** The server itself, where `connection` uses a pooler. */
  direct: Connection;
  /** A replica for long reads. */
  read: Connection | undefined;
};

export type Storage = {
  kind: 'bundled' | 'external';
  /** Display name of the database the product runs on. */
  label: string;
  connectionTo: (mode: 'live' | 'demo') => Connection;
  /** Creates the mode's database when it is missing. */
  prepare: (mode: 'live' | 'demo') => Promise<ConnectionModes>;
  /** Where the bundled database writes. */
  folder: string | null;
  stop: () => Promise<void>;
};

const BUNDLED_NAME = 'meridian';
const CONNECT_TIMEOUT_MS = 10_000;
const applicationName = (name: string, mode: 'live' | 'demo') => (mode === 'demo' ? `${name}_demo` : name);

type Options = {
  log: Log;
  /** Cancels a start in progress. */
  signal: AbortSignal;
  /** Joins a bundled server that is already running, for manual jobs. */
  attach: boolean;
  /** Called while a bundled server starts. */
  onSpawn?: (() => void) | undefined;
};

/** DATABASE_URL, or the bundled PostgreSQL. */
export async function openStorage(config: Config, { log, signal, attach, onSpawn }: Options): Promise<Storage> {
  if (config.DATABASE_URL) return openExternal({ ...config, DATABASE_URL: config.DATABASE_URL });
  const alone = (['DATABASE_DIRECT_URL', 'READ_DATABASE_URL'] as const).find((name) => config[name]);
  if (alone)
    throw new AppStartError(`${alone} requires DATABASE_URL: the bundled PostgreSQL has no pooler or replica.`);
  const server = await (attach ? joinBundledPostgres : startBundledPostgres)({
    dataDir: config.dataDir,
    log: (line) => log.info(line),
    warn: (line) => log.warn(line),
    signal,
    onSpawn,
  });
  return openBundled(server.connection, server.dataDir, () => server.stop(), server.version);
}

/** The URL is set by the operator, so its errors are reported in one sentence. */
async function assertReachable(connection: Connection, name: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const reason = errorMessage(error) || String((error as { code?: string }).code);
    throw new AppStartError(`Cannot use the database of ${name}: ${reason}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function openBundled(server: Connection, dataDir: string, stop: () => Promise<void>, version = ''): Storage {
  const toConnection = (mode: 'live' | 'demo') => ({ ...server, database: applicationName(BUNDLED_NAME, mode) });
  return {
    kind: 'bundled',
    label: `bundled PostgreSQL ${version} in ${dataDir}`.replace('  ', ' '),
    connectionTo: toConnection,
    async prepare(mode) {
      await ensureDatabase(server, applicationName(BUNDLED_NAME, mode));
      const connection = toConnection(mode);
      return { connection, direct: connection, read: undefined };
    },
    folder: findDataFolder(dataDir) ?? null,
    stop,
  };
}

const NEEDS_DIRECT =
  'DATABASE_URL points to a pooler in transaction mode, which does not keep sessions. Set DATABASE_DIRECT_URL to the PostgreSQL behind it.';
const NOT_DIRECT =
  'DATABASE_DIRECT_URL must point to the PostgreSQL server behind DATABASE_URL, not to a pooler or another server.';

type Addresses = Pick<Config, 'DATABASE_DIRECT_URL' | 'READ_DATABASE_URL'> & { DATABASE_URL: string };

function openExternal({
  DATABASE_URL: address,
  DATABASE_DIRECT_URL: direct,
  READ_DATABASE_URL: read,
}: Addresses): Storage {
  const name = nameIn(address);
  const toConnection = (mode: 'live' | 'demo') => at(address, applicationName(name, mode));
  return {
    kind: 'external',
    label: `PostgreSQL at ${new URL(address).host || 'a local socket'}, database ${name}`,
    connectionTo: toConnection,
    async prepare(mode) {
      const own = direct ?? address;
      await assertReachable({ connectionString: own }, direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
      if (mode === 'demo') await ensureDatabase({ connectionString: own }, applicationName(nameIn(own), mode));
      const ways = {
        connection: toConnection(mode),
        direct: at(own, applicationName(nameIn(own), mode)),
        read: read === undefined ? undefined : at(read, applicationName(nameIn(read), mode)),
      };
      await assertReachable(ways.connection, 'DATABASE_URL');
      if (!(await receivesNotifications(ways.direct, ways.connection)))
        throw new AppStartError(direct ? NOT_DIRECT : NEEDS_DIRECT);
      return ways;
    },
    folder: null,
    stop: async () => undefined,
  };
}

const nameIn = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(1)) || 'postgres';

function at(address: string, name: string): Connection {
  const url = new URL(address);
  url.pathname = `/${encodeURIComponent(name)}`;
  return { connectionString: url.href };
}
