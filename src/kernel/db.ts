import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import { errorMessage } from './errors.ts';
import { findTracer } from './tracing.ts';

/**
 * Extended by the schema.ts of each feature, so that the kernel knows no feature and a transaction may span features.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables here
export interface Tables {}

export type Db = Kysely<Tables>;
export type Connection = pg.PoolConfig;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 ${text} does not fit a JavaScript number`);
  return value;
}

const FLOAT8_ARRAY = 1022;

/**
 * One row of numbers; the general array parser takes six times as long, and a list of sparklines holds 42,000 numbers.
 */
function numbers(text: string): (number | null)[] {
  const inner = text.slice(1, -1);
  if (inner.includes('{')) throw new Error('An array of arrays of numbers has no parser');
  return inner === '' ? [] : inner.split(',').map((part) => (part === 'NULL' ? null : Number(part)));
}

const types = new pg.TypeOverrides();
types.setTypeParser(FLOAT8_ARRAY, numbers);
types.setTypeParser(pg.types.builtins.INT8, safeInteger);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** The text of a query holds no values: parameters are sent separately. */
function traceQuery({ query, queryDurationMillis }: LogEvent): void {
  const [verb = ''] = query.sql.trimStart().split(/\s/, 1);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql };
  findTracer()?.told(`db ${verb.toLowerCase()}`, attributes, queryDurationMillis);
}

/** A process paused in the middle of a transaction holds its locks no longer than this. */
const SET_IDLE_TIMEOUT = "set idle_in_transaction_session_timeout = '30s'";

/** The pool waits for this before it hands out the connection. */
const prepare = (client: pg.ClientBase): unknown => client.query(SET_IDLE_TIMEOUT);

export type Database = { db: Db; pool: pg.Pool; close: () => Promise<void> };

/**
 * One pool per process. int8 → number, timestamptz → ISO string, numeric stays text, so that stores return contract
 * types.
 */
export function openDatabase(connection: Connection, onError: (error: Error) => void, max = 10): Database {
  const pool = new pg.Pool({
    max,
    application_name: 'meridian',
    ...connection,
    types,
    onConnect: prepare,
  });
  // The pool handles errors of idle connections only: losing a connection in use would crash the process.
  let closing = false;
  const lost = (error: Error) => {
    if (!closing) onError(error);
  };
  pool.on('connect', (client) => client.on('error', lost));
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(findTracer() ? { log: traceQuery } : {}),
  });
  return {
    db,
    pool,
    close() {
      closing = true;
      return db.destroy();
    },
  };
}

const DISK_FULL = '53100';
export const DISK_FULL_NOTE = 'The database disk is full: writes fail or wait, reads continue.';
/** Connection failures, shutdowns and recoveries as PostgreSQL error codes, then socket errors. */
const UNREACHABLE = /^(08...|25P03|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of the driver and its pool, which have no code. */
const CONNECTION_ERRORS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|timeout expired|timeout exceeded when trying to connect|Query read timeout)/;

type Failure = { code?: string; syscall?: string } | null | undefined;
const errorCode = (error: unknown): string => (error as Failure)?.code ?? '';

/** True when no statement reached the database: it is unreachable, starting or shutting down. */
export function isUnreachable(error: unknown): boolean {
  // ENOENT is also a missing file; on connect it means that no server listens on the socket.
  if (errorCode(error) === 'ENOENT') return (error as Failure)?.syscall === 'connect';
  return UNREACHABLE.test(errorCode(error)) || CONNECTION_ERRORS.test(errorMessage(error));
}

/** One sentence for the operator about a write that failed. */
export function describeFailure(error: unknown): string {
  if (errorCode(error) === DISK_FULL) return DISK_FULL_NOTE;
  if (isUnreachable(error)) return 'The database is not responding: writes wait, prepared pages are still served.';
  return `The database refuses writes: ${errorMessage(error)}`;
}
