import { Client } from 'pg';

import type { Connection } from '#kernel/db.ts';

async function runAsAdmin(connection: Connection, statements: (database: string) => string[]): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    for (const each of statements(String(connection.database))) await client.query(each);
  } finally {
    await client.end();
  }
}

/** Makes the database of a suite unavailable: existing connections are closed and new ones refused. */
export const disableDatabase = (connection: Connection): Promise<void> =>
  runAsAdmin(connection, (database) => [
    `alter database "${database}" with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  ]);

export const enableDatabase = (connection: Connection): Promise<void> =>
  runAsAdmin(connection, (database) => [`alter database "${database}" with allow_connections true`]);
