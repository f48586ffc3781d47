import { randomUUID } from 'node:crypto';
import pg, { Client, type ClientConfig } from 'pg';

import { wait } from '../clock.ts';
import type { Connection } from '../db.ts';

/** A notification not received by then is considered lost. */
const NOTIFY_TIMEOUT_MS = 3000;

async function open(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Whether a session on `direct` receives a notification sent on `pooled`. If so, sessions on `direct` persist between
 * statements, which they do not behind a pooler in transaction mode, and both connect to the same database.
 */
export async function receivesNotifications(direct: Connection, pooled: Connection): Promise<boolean> {
  const channel = `probe_${randomUUID().replaceAll('-', '')}`;
  const listening = await open(direct);
  try {
    const speaking = await open(pooled);
    try {
      const answered = new AbortController();
      listening.on('notification', () => answered.abort());
      await listening.query(`listen ${channel}`);
      await speaking.query(`notify ${channel}`);
      await wait(NOTIFY_TIMEOUT_MS, answered.signal);
      // A pooler reuses the session, so it must not keep listening.
      await listening.query(`unlisten ${channel}`);
      return answered.signal.aborted;
    } finally {
      await speaking.end();
    }
  } finally {
    await listening.end();
  }
}

const DUPLICATE_DATABASE = new Set(['42P04', '23505']);

/** Creates the database when it is missing; safe with concurrent callers. True when this call created it. */
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
    if (DUPLICATE_DATABASE.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}
