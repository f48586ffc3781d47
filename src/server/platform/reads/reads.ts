import type pg from 'pg';

import { wait } from '../clock.ts';
import type { Connection, Db } from '../db.ts';
import type { ReportError } from '../error-reports.ts';
import type { Log } from '../log.ts';
import { oneWay } from './one-way.ts';
import { openReplica, type ReadState } from './replica.ts';

export type { ReadState } from './replica.ts';

/** `fresh`: everything that was committed before it was asked for must be in the answer. */
export type Needs = { fresh?: boolean };

/** Where long reads come from: the replica of READ_DATABASE_URL while it can be trusted, else the primary. */
export type Reads = {
  /** Makes a whole answer from one server. One that the replica fails in the middle of is made anew from the primary, so `make` only reads. */
  answer: <T>(make: (db: Db) => Promise<T>, needs?: Needs) => Promise<T>;
  /** For one answer that is sent while it is read, fresh: it may go over to the primary between two pages, and never comes back. */
  pages: () => Promise<Db>;
  /** For one answer of a thread, fresh: the servers to try, in this order. */
  connections: () => Promise<Connection[]>;
  /** Tells of a failure; true when it was one of the replica itself and the primary would do better. */
  failed: (error: unknown) => boolean;
  /** Null without a replica. */
  state: () => ReadState | null;
  close: () => Promise<void>;
};

type Deps = {
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  /** The replica; undefined when everything comes from the primary. */
  read: Connection | undefined;
  maxLagSeconds: number;
  log: Log;
  report: ReportError;
};

/** A server that is silent does not keep the process. */
const CLOSE_LIMIT_MS = 2000;

/** Throws AppStartError for a server that is no copy of the database. */
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
  const mayAnswer = ({ fresh = false }: Needs = {}) => (fresh ? replica.hasAll() : replica.isUsable());
  return {
    async answer(make, needs) {
      if (!(await mayAnswer(needs))) return make(db);
      try {
        return await replica.untilOver(make(replica.db));
      } catch (error) {
        if (!replica.failed(error)) throw error;
        return make(db);
      }
    },
    async pages() {
      if (!(await mayAnswer({ fresh: true }))) return db;
      return oneWay((from, text, values) => replica.untilOver(from.query(text, values)), {
        from: replica.pool,
        to: pool,
        left: replica.failed,
      });
    },
    connections: async () => ((await mayAnswer({ fresh: true })) ? [replica.connection, connection] : [connection]),
    failed: replica.failed,
    state: replica.state,
    close: () => Promise.race([replica.close(), wait(CLOSE_LIMIT_MS)]),
  };
}
