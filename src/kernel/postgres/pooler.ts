import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { wait } from '../clock.ts';
import type { Connection } from '../db.ts';

/** An answer that has not come by then does not come. */
const HEARD_WITHIN_MS = 3000;

async function open(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Whether a session on `direct` hears what is said on `pooled`: then it lasts from one statement to the next, which it does
 * not behind a pooler in transaction mode, and both lead to the same database.
 */
export async function hears(direct: Connection, pooled: Connection): Promise<boolean> {
  const channel = `probe_${randomUUID().replaceAll('-', '')}`;
  const listening = await open(direct);
  try {
    const speaking = await open(pooled);
    try {
      const heard = new AbortController();
      listening.on('notification', () => heard.abort());
      await listening.query(`listen ${channel}`);
      await speaking.query(`notify ${channel}`);
      await wait(HEARD_WITHIN_MS, heard.signal);
      // A pooler reuses the session, so it must not keep listening.
      await listening.query(`unlisten ${channel}`);
      return heard.signal.aborted;
    } finally {
      await speaking.end();
    }
  } finally {
    await listening.end();
  }
}
