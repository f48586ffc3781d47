import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';

import {
  dataDir,
  fetchHealth,
  processesOf,
  spawnProduct,
  startAndServe,
  useProcesses,
  waitForExit,
} from '#tests/support/processes.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

useProcesses();

const sentence = (output: string): string => {
  expect(output).not.toMatch(/^ +at /m);
  expect(output.trim().split('\n')).toHaveLength(1);
  return output.trim();
};

function addressOf({ host, port, user, password, database }: TestDatabase['connection']): string {
  const address = new URL('postgres://localhost/');
  address.username = user ?? '';
  address.password = String(password ?? '');
  address.pathname = database;
  address.port = String(port);
  address.searchParams.set('host', String(host));
  return address.href;
}

describe('a startup that cannot continue', () => {
  test.each([
    ['PORT', 'eighty'],
    ['ROLE', 'boss'],
    ['DATABASE_URL', 'mysql://localhost/meridian'],
    ['FULL_COLLECTION_CRON', 'sometimes'],
  ])('names the setting: %s=%s', async (name, value) => {
    const product = spawnProduct({ [name]: value });
    expect(await waitForExit(product, 15_000)).toBe(1);
    expect(sentence(product.output())).toMatch(new RegExp(`^Configuration: ${name}: .+`));
  });

  test('names every wrong setting at once', async () => {
    const product = spawnProduct({ PORT: 'x', HOST: '', ROLE: 'y' });
    expect(await waitForExit(product, 15_000)).toBe(1);
    expect(sentence(product.output())).toMatch(/PORT: .+; ROLE: /);
  });

  test('a port in use is named before the database starts', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as AddressInfo;
    const product = spawnProduct({ PORT: String(port) });
    expect(await waitForExit(product, 30_000)).toBe(1);
    taken.close();
    expect(sentence(product.output())).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Set PORT to a free one.`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test('a wrong key is named before a migration changes anything', async () => {
    const { connection, drop } = await createTestDatabase();
    const owner = new Client(connection);
    await owner.connect();
    try {
      await owner.query('drop schema public cascade; create schema public');
      await owner.query('create table installation (data_mode text, demo_seed int, key_fingerprint text)');
      await owner.query(`insert into installation values ('live', null, '0123456789abcdef')`);
      const product = spawnProduct({ DATABASE_URL: addressOf(connection) });
      expect(await waitForExit(product, 60_000)).toBe(1);
      expect(sentence(product.output())).toMatch(
        /^This database was created with another secret key \(0123456789abcdef, /,
      );
      const { rows } = await owner.query(`select tablename from pg_tables where schemaname = 'public'`);
      expect(rows).toEqual([{ tablename: 'installation' }]);
    } finally {
      await owner.end();
      await drop();
    }
  });

  test('an address not on this machine is named', async () => {
    const product = spawnProduct({ HOST: '203.0.113.7' });
    expect(await waitForExit(product, 30_000)).toBe(1);
    expect(sentence(product.output())).toMatch(/^Cannot listen on HOST=203\.0\.113\.7 PORT=0: /);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('demo data is not exposed to a network unless intended', async () => {
    const refused = spawnProduct({ DATA_MODE: 'demo', HOST: '0.0.0.0' });
    expect(await waitForExit(refused, 30_000)).toBe(1);
    expect(sentence(refused.output())).toMatch(/HOST=0\.0\.0\.0, set DATA_MODE=live, or DEMO_PUBLIC=1/);
    expect(processesOf(dataDir)).toEqual([]);

    const meant = await startAndServe({ DATA_MODE: 'demo', HOST: '0.0.0.0', DEMO_PUBLIC: '1' });
    expect(await fetchHealth(meant.url)).toMatchObject({ dataMode: 'demo' });
  });

  test('an unresponsive database is reported in one sentence without the password', async () => {
    const product = spawnProduct({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:9/meridian' });
    expect(await waitForExit(product, 30_000)).toBe(1);
    expect(sentence(product.output())).toMatch(/^Cannot use the database of DATABASE_URL: .*ECONNREFUSED/);
    expect(product.output()).not.toContain('hidden');
  });

  test('a database with too few connections is reported in one sentence', async () => {
    const { connection, drop } = await createTestDatabase();
    const owner = new Client(connection);
    await owner.connect();
    await owner.query(
      `create role few login password 'few' connection limit 2 in role ${owner.escapeIdentifier(owner.user ?? '')}`,
    );
    try {
      const product = spawnProduct({ DATABASE_URL: addressOf({ ...connection, user: 'few', password: 'few' }) });
      expect(await waitForExit(product, 60_000)).toBe(1);
      expect(sentence(product.output())).toMatch(/^Cannot connect to the database: too many connections for role/);
    } finally {
      await owner.query('drop role few');
      await owner.end();
      await drop();
    }
  });
});
