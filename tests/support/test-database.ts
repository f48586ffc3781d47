import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type PoolConfig } from 'pg';
import { expect, inject } from 'vitest';
import { usesDatabase } from './database-users.ts';
import type { TestServer } from './global-setup.ts';

export type TestDatabase = { connection: PoolConfig & { database: string }; drop: () => Promise<void> };

const TEMPLATE_IN_USE = '55006';
const TRIES = 50;
const RETRY_EVERY_MS = 100;

async function administer(sql: (quote: (name: string) => string) => string): Promise<void> {
  const client = new Client({ ...inject('testServer').connection, database: 'postgres' });
  await client.connect();
  try {
    await client.query(sql((name) => client.escapeIdentifier(name)));
  } finally {
    await client.end();
  }
}

const looked = new Set<string>();

/** Tests excluded on another PostgreSQL must not need one: they are detected by their imports, and this verifies it. */
function refuseWhoIsLeftOut(): void {
  const { testPath } = expect.getState();
  if (!testPath || looked.has(testPath)) return;
  if (!usesDatabase(testPath)) throw new Error(`${testPath} uses a database, but none of its imports say so`);
  looked.add(testPath);
}

/** A new database, migrated or a copy of `template`; drop it after the suite. */
export async function createTestDatabase(template = inject('testServer').template): Promise<TestDatabase> {
  refuseWhoIsLeftOut();
  const { connection }: TestServer = inject('testServer');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Copied as files: half the time of writing every page to the WAL first.
      await administer((quote) => `create database ${quote(database)} template ${quote(template)} strategy file_copy`);
      break;
    } catch (error) {
      // The session that migrated the template may still be closing, or autovacuum may be using it.
      if ((error as { code?: string }).code !== TEMPLATE_IN_USE || attempt === TRIES) throw error;
      await sleep(RETRY_EVERY_MS);
    }
  }
  return {
    connection: { ...connection, database },
    drop: () => administer((quote) => `drop database if exists ${quote(database)} with (force)`),
  };
}
