import { Client, type ClientConfig } from 'pg';

const ALREADY_THERE = new Set(['42P04', '23505']);

/** Creates the database when it is missing; two callers at once are fine. True when this call made it. */
export async function ensureDatabase(connection: ClientConfig, name: string): Promise<boolean> {
  const client = new Client({ ...connection, database: connection.database ?? 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return false;
    await client.query(`create database ${client.escapeIdentifier(name)}`);
    return true;
  } catch (error) {
    if (ALREADY_THERE.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}
