import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './test-database.ts';

test('test databases are migrated, isolated from each other, and created concurrently', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()]);
  const clients = databases.map(({ connection }) => new Client(connection));
  for (const client of clients) {
    client.on('error', () => {});
    await client.connect();
  }
  await clients[0]?.query('create table only_here (id int)');
  const tables = await Promise.all(
    clients.map((client) => client.query(`select from pg_tables where tablename = 'only_here'`)),
  );
  expect(tables.map(({ rowCount }) => rowCount)).toEqual([1, 0, 0]);
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(databases.map((database) => database.drop()));
});
