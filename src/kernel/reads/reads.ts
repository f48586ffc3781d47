import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';

import { wait } from '../clock.ts';
import type { Connection, Db, Tables } from '../db.ts';
import type { ReportError } from '../error-reports.ts';
import type { Log } from '../log.ts';
import { openReplica, type ReadState } from './replica.ts';

/** Starts on one server and switches to another when `left` reports the first as lost. It never switches back. */
function createFailoverDb(
  ask: (pool: pg.Pool, text: string, values: unknown[]) => Promise<pg.QueryResult>,
  { from, to, isServerLost }: { from: pg.Pool; to: pg.Pool; isServerLost: (error: unknown) => boolean },
): Db {
  let isOnFirst = true;
  const client = {
    async query(text: string, values: readonly unknown[]) {
      // Each page is a separate query, on any connection: a transaction would be split.
      if (/^\s*(begin|start)\b/i.test(text)) throw new Error('Pages are read without a transaction');
      if (isOnFirst) {
        try {
          return await ask(from, text, [...values]);
        } catch (error) {
          if (!isServerLost(error)) throw error;
          isOnFirst = false;
        }
      }
      return to.query(text, [...values]);
    },
    release: () => undefined,
  };
  const pool = {
    options: {},
    connect: async () => client as unknown as PostgresPoolClient,
    end: async () => undefined,
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

export type { ReadState } from './replica.ts';

/** `fresh`: the response must include everything committed before the request. */
export type ReadOptions = { fresh?: boolean };

/** Where long reads are served from: the replica of READ_DATABASE_URL while it is usable, else the primary. */
export type Reads = {
  /** Builds a whole response from one server. If the replica fails midway, it is built again from the primary, so `make` must only read. */
  answer: <T>(make: (db: Db) => Promise<T>, needs?: ReadOptions) => Promise<T>;
  /**
   * For one response that is sent while it is read, fresh: it may switch to the primary between two pages, and never
   * back.
   */
  pages: () => Promise<Db>;
  /** For one response generated in a thread, fresh: the servers to try, in order. */
  connections: () => Promise<Connection[]>;
  /** Reports a failure; true when it was caused by the replica itself, so that the primary can be tried. */
  failed: (error: unknown) => boolean;
  /** Null without a replica. */
  state: () => ReadState | null;
  close: () => Promise<void>;
};

type Deps = {
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  /** The replica; undefined when everything is read from the primary. */
  read: Connection | undefined;
  maxLagSeconds: number;
  log: Log;
  report: ReportError;
};

/** A silent server does not delay shutdown. */
const CLOSE_TIMEOUT_MS = 2000;

/** Throws AppStartError for a server that is not a copy of the database. */
export async function openReads(deps: Deps): Promise<Reads> {
  return deps.read ? fromReplica(deps, deps.read) : fromPrimary(deps);
}

const fromPrimary = ({ db, connection }: Pick<Deps, 'db' | 'connection'>): Reads => ({
  answer: (make) => make(db),
  pages: async () => db,
  connections: async () => [connection],
  failed: () => false,
  state: () => null,
  close: async () => undefined,
});

async function fromReplica({ db, pool, connection, ...deps }: Deps, read: Connection): Promise<Reads> {
  const replica = await openReplica({ db, ...deps }, read);
  const canServe = ({ fresh = false }: ReadOptions = {}) => (fresh ? replica.isCaughtUp() : replica.isUsable());
  return {
    async answer(make, needs) {
      if (!(await canServe(needs))) return make(db);
      try {
        return await replica.untilLost(make(replica.db));
      } catch (error) {
        if (!replica.failed(error)) throw error;
        return make(db);
      }
    },
    async pages() {
      if (!(await canServe({ fresh: true }))) return db;
      return createFailoverDb((from, text, values) => replica.untilLost(from.query(text, values)), {
        from: replica.pool,
        to: pool,
        isServerLost: replica.failed,
      });
    },
    connections: async () => ((await canServe({ fresh: true })) ? [replica.connection, connection] : [connection]),
    failed: replica.failed,
    state: replica.state,
    close: () => Promise.race([replica.close(), wait(CLOSE_TIMEOUT_MS)]),
  };
}
