import { rmSync } from 'node:fs';
import { Client, type ClientConfig } from 'pg';
import type { TestProject } from 'vitest/node';
import { startBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { makeScratchFolder } from '#kernel/postgres/fixtures/scratch.ts';
import { ensureDatabase } from '#kernel/postgres/pooler.ts';

export type TestConnection = { host: string; port: number; user: string; password: string };
/** The server for test databases, and the migrated template they are copied from. */
export type TestServer = { connection: TestConnection; template: string };

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

async function migrateDatabase(connection: ClientConfig): Promise<void> {
  // Loaded lazily: only for runs that need a database.
  const { migrate } = await import('#app/server/migrations.ts');
  await migrate(connection);
}

function connectionFrom(url: string): TestConnection {
  const { hostname, port, username, password, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

async function dropDatabase(connection: TestConnection, name: string): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  await client.end();
}

async function startServer(): Promise<{ connection: TestConnection; stop(): Promise<void> }> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { connection: connectionFrom(url), stop: async () => {} };
  const folder = makeScratchFolder();
  const server = await startBundledPostgres({ dataDir: folder, durable: false, log: () => {} });
  return {
    connection: server.connection,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One server for the whole run; every suite copies the migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const { connection } = server;
  const template = `meridian_template_${process.pid}`;
  await ensureDatabase(connection, template);
  await migrateDatabase({ ...connection, database: template });
  project.provide('testServer', { connection, template });
  return async () => {
    await dropDatabase(connection, template);
    await server.stop();
  };
}
