import pg from 'pg';

import type { Connection } from '#kernel/db.ts';
import { errorMessage } from '#kernel/errors.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { connect, JOBS_SCHEMA, MARKER, openClient, READER, withClient } from './catalogue.ts';

const MAX_NAME_LENGTH = 63;
const NO_DATABASE = '3D000';
const IN_USE = '55006';
const ONE_AT_A_TIME = 7_246_330;

/** `absent`: the server has no such database. `unfinished`: a restore or a move into it was interrupted. */
export type TargetState = 'absent' | 'empty' | 'unfinished' | 'filled';

export function databaseName({ connectionString, database }: Connection): string {
  if (!connectionString) return database ?? 'postgres';
  return decodeURIComponent(new URL(connectionString).pathname.slice(1)) || 'postgres';
}

/** Another database of the same server. */
export function siblingConnection(connection: Connection, name: string): Connection {
  if (!connection.connectionString) return { ...connection, database: name };
  const url = new URL(connection.connectionString);
  url.pathname = `/${encodeURIComponent(name)}`;
  return { ...connection, connectionString: url.href };
}

/** meridian_restored_20261123t092301: unique by time. */
export function siblingName(name: string, what: string, at: Date): string {
  const end = `_${what}_${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}`;
  return name.slice(0, MAX_NAME_LENGTH - end.length) + end;
}

/** Checked at every start, also through a pooler, so it leaves no session state behind. */
export async function readTargetState(target: Connection): Promise<TargetState> {
  const client = await openClient(target).catch((error: unknown) => {
    if ((error as { code?: string }).code === NO_DATABASE) return null;
    throw new AppStartError(`Cannot connect to the database ${databaseName(target)}: ${errorMessage(error)}.`);
  });
  if (!client) return 'absent';
  try {
    const { rows } = await client.query<{ marked: boolean; filled: boolean }>(
      `select to_regclass('public.${MARKER}') is not null as marked, exists (select 1 from pg_class c
          join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', $1) and c.relkind in ('r', 'p', 'v', 'm')
          and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as filled`,
      [JOBS_SCHEMA],
    );
    const [row] = rows;
    return row?.marked ? 'unfinished' : row?.filled ? 'filled' : 'empty';
  } finally {
    await client.end();
  }
}

/** The product never starts on an incomplete database. */
export async function assertFinished(connection: Connection): Promise<void> {
  if ((await readTargetState(connection)) !== 'unfinished') return;
  throw new AppStartError(
    `The database ${databaseName(connection)} is incomplete because a restore or move was interrupted. Run it again, or use another database.`,
  );
}

/** Empties an incomplete database. Everything in it was written by a restore or a move. */
export async function dropContents(target: Connection): Promise<void> {
  await withClient(target, async (client) => {
    // The marker is dropped with the schema, so an interruption leaves the database marked.
    await client.query(`drop schema if exists ${JOBS_SCHEMA} cascade`);
    await client.query('begin');
    await client.query('drop schema public cascade');
    await client.query('create schema public');
    await client.query('commit');
  });
}

/** A session in a third database, from which databases are created and renamed. */
async function withAdminClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let last: unknown;
  for (const name of ['postgres', 'template1'].filter((each) => each !== databaseName(connection))) {
    const client = await connect(siblingConnection(connection, name)).catch((error: unknown) => {
      last = error;
      return null;
    });
    if (!client) continue;
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  throw new AppStartError(
    `Cannot connect to the maintenance database "postgres" to create or rename databases: ${errorMessage(last)}.`,
  );
}

export async function createDatabase(connection: Connection, name: string): Promise<Connection> {
  await withAdminClient(connection, (client) =>
    client.query(`create database ${pg.escapeIdentifier(name)} template template0 encoding 'UTF8'`),
  ).catch((error: unknown) => {
    if (error instanceof AppStartError) throw error;
    throw new AppStartError(`Cannot create the database ${name}: ${errorMessage(error)}.`);
  });
  return siblingConnection(connection, name);
}

export async function dropDatabase(connection: Connection, name: string): Promise<void> {
  await withAdminClient(connection, (client) => client.query(`drop database if exists ${pg.escapeIdentifier(name)}`));
}

/** Databases of that server left next to `name` by an earlier operation. */
export async function findLeftoverDatabases(connection: Connection, name: string, what: string): Promise<string[]> {
  const pattern = new RegExp(`^${siblingName(name, what, new Date(0)).replace(/\d{8}t\d{6}$/, '')}\\d{8}t\\d{6}$`);
  return withAdminClient(connection, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database order by 1');
    return rows.map(({ datname }) => datname).filter((datname) => pattern.test(datname));
  });
}

/** Any connection may write, of the product or of a manual session. A backup only reads. */
export async function assertNotInUse(target: Connection, what: string): Promise<void> {
  const name = databaseName(target);
  const { programs, others } = await withClient(target, async (client) => {
    const { rows } = await client.query<{ programs: string; others: number }>(
      `select count(*)::int as others, string_agg(distinct application_name, ', ') as programs from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
          and application_name <> $1`,
      [READER],
    );
    return rows[0] as { programs: string | null; others: number };
  });
  if (others === 0) return;
  const programNames = programs ? ` (${programs})` : '';
  throw new AppStartError(
    `The database ${name} is in use by ${others} ${others === 1 ? 'session' : 'sessions'}${programNames}. Stop every Meridian process, then ${what}.`,
  );
}

/** Replaces `name` with `fresh` atomically: after an interruption, one of them still has the name. */
export async function swapDatabases(connection: Connection, name: string, fresh: string, aside: string): Promise<void> {
  const [old, next, kept] = [name, fresh, aside].map(pg.escapeIdentifier);
  await withAdminClient(connection, async (client) => {
    await client.query('begin');
    await client.query(`alter database ${old} rename to ${kept}`);
    await client.query(`alter database ${next} rename to ${old}`);
    await client.query('commit');
  }).catch((error: unknown) => {
    if ((error as { code?: string }).code !== IN_USE) throw error;
    throw new AppStartError(
      `A process connected to the database ${name} in the meantime. Stop every Meridian process and try again.`,
    );
  });
}

/** Only one restore or move at a time works on a database. */
export async function assertNoConnections<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const name = databaseName(connection);
  return withAdminClient(connection, async (client) => {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', [
      ONE_AT_A_TIME,
      name,
    ]);
    if (!rows[0]?.held)
      throw new AppStartError(`Another restore or move of ${name} is in progress. Wait until it has finished.`);
    return work();
  });
}
