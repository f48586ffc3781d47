import type pg from 'pg';

import type { Connection } from '#kernel/db.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import {
  type Content,
  connect,
  JOBS_SCHEMA,
  MARKER,
  quoteTable,
  readContent,
  readSequences,
  readTables,
  type SequenceState,
  type TableShape,
} from './catalogue.ts';
import type { CopyIn } from './copy.ts';

export type Installation = {
  dataMode: 'live' | 'demo';
  seed: number | null;
  /** Fingerprint of the secret key that sealed its content; null when any key may be used at the next start. */
  key: string | null;
  createdAt: string;
};

/** The source of rows: a backup, or a snapshot of another database. */
export type Source = {
  tables: (TableShape & Content)[];
  sequences: SequenceState[];
  /** Names of the migrations that created its tables. */
  migrations: string[];
  /** Version of the job queue's tables. */
  jobsVersion: number;
  installation: Installation;
  /** Writes all rows of a table and ends the copy. */
  send: (table: TableShape, into: CopyIn) => Promise<void>;
};

/** A consistent snapshot of a database while others keep writing. */
export type Snapshot = Omit<Source, 'tables' | 'sequences' | 'send'> & {
  client: pg.Client;
  server: string;
  tables: TableShape[];
  contentOf: (table: TableShape) => Promise<Content>;
  /** Call it after the rows are read. */
  sequences: () => Promise<SequenceState[]>;
  close: () => Promise<void>;
};

const UNDEFINED_TABLE = '42P01';
const MAX_ATTEMPTS = 5;

/** @param name display name of the database */
export async function openSnapshot(connection: Connection, name: string): Promise<Snapshot> {
  const client = await connect(connection);
  const close = async () => {
    await client.query('rollback').catch(() => undefined);
    await client.end().catch(() => undefined);
  };
  try {
    await assertComplete(client, name);
    const tables = await lockTables(client);
    const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by 1');
    const { rows: versions } = await client.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`);
    const { rows: found } = await client.query<Installation & { server: string }>(
      `select data_mode as "dataMode", demo_seed as seed, key_fingerprint as key, created_at::text as "createdAt",
        current_setting('server_version') as server from installation`,
    );
    const [row] = found;
    if (!row) throw new AppStartError(`The database ${name} is empty. Start Meridian on it once.`);
    const { server, ...installation } = row;
    return {
      client,
      server: server.split(' ')[0] ?? '',
      tables,
      migrations: migrations.map((each) => each.name),
      jobsVersion: versions[0]?.version ?? 0,
      installation,
      contentOf: (table) => readContent(client, table),
      sequences: () => readSequences(client),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assertComplete(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ whole: boolean; half: boolean }>(
    `select to_regclass('public.installation') is not null and to_regclass('public.kysely_migration') is not null
        and to_regclass('${JOBS_SCHEMA}.version') is not null as whole, to_regclass('public.${MARKER}') is not null as half`,
  );
  if (rows[0]?.half)
    throw new AppStartError(`The database ${name} is incomplete because a restore or move was interrupted.`);
  if (!rows[0]?.whole) throw new AppStartError(`The database ${name} contains no Meridian data.`);
}

/**
 * Partitions are locked one by one and never through their parent table, so that the product can still add partitions.
 * A table dropped between listing and locking restarts the snapshot.
 */
async function lockTables(client: pg.Client): Promise<TableShape[]> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('begin transaction isolation level repeatable read read only');
    const tables = await readTables(client);
    try {
      await client.query(
        `lock table ${tables.map((table) => `only ${quoteTable(table)}`).join(', ')} in access share mode`,
      );
      return tables;
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE || attempt === MAX_ATTEMPTS) throw error;
      await client.query('rollback');
    }
  }
}
