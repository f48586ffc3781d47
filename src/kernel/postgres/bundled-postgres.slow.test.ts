import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBundledPostgres, startBundledPostgres, stopBundledPostgres } from './bundled-postgres.ts';
import { cleanUps, dataDir, eachInItsFolder, folder, lines, query, start, startProduct } from './fixtures/data-dir.ts';
import { ensureDatabase } from './pooler.ts';
import { AppStartError } from './process.ts';

eachInItsFolder();

describe('startBundledPostgres', () => {
  test('starts cold and warm, keeps the data, listens on the socket only', async () => {
    const cold = await start();
    expect(cold).toMatchObject({ kind: 'bundled', adopted: false, dataDir });
    expect(cold.version).toMatch(/^\d+\.\d+$/);
    await query(cold.connection, 'create table kept as select 7 as seven');
    expect(await query(cold.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await query(cold.connection, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
    await cold.stop();
    expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);

    const warm = await start();
    expect(await query(warm.connection, 'select seven from kept')).toEqual([{ seven: 7 }]);
    await warm.stop();
    await warm.stop();
  });

  test('requires the generated password, which only its owner may read', async () => {
    const { connection } = await start();
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    // As root, PostgreSQL runs as another account.
    expect(statSync(dataDir).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    await expect(query({ ...connection, password: 'guess' }, 'select 1')).rejects.toThrow(/password authentication/);
  });

  test('is durable unless a test opts out', async () => {
    const { connection } = await start({ durable: true });
    expect(await query(connection, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(connection, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  test('rejects a second running product in one sentence', async () => {
    const product = await startProduct();
    const second = startBundledPostgres({ dataDir, log: () => {} });
    await expect(second).rejects.toThrow(AppStartError);
    await expect(second).rejects.toThrow(`Another Meridian is already running on DATA_DIR ${dataDir}.`);
    await expect(stopBundledPostgres(dataDir)).rejects.toThrow(/Stop it, and its database stops too/);
    expect(await query(product.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('lets one of two concurrent starts win', async () => {
    const both = await Promise.allSettled([start(), start()]);
    const failed = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(failed.map(({ reason }) => String(reason))).toEqual([
      `AppStartError: Another Meridian is already running on DATA_DIR ${dataDir}.`,
    ]);
    const winner = both.find((one) => one.status === 'fulfilled');
    expect(winner && (await query(winner.value.connection, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });

  test('places the socket elsewhere when the path is too long', async () => {
    const long = join(folder, 'a-rather-long-name'.repeat(6), 'data');
    const { connection } = await start({ dataDir: long });
    cleanUps.unshift(() => rmSync(connection.host, { recursive: true, force: true }));
    expect(connection.host).toMatch(/^\/tmp\/meridian-[0-9a-f]{16}$/);
    expect(lines.join()).toContain('too long for a unix socket');
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('names the missing file when LOCATION leads nowhere', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'LOCATION'), '/nowhere/at-all\n');
    await expect(start()).rejects.toThrow(
      /LOCATION points to the database folder \/nowhere\/at-all, which does not exist/,
    );
  });
});

describe('alongside the running server', () => {
  test('ensureDatabase creates a database once, even if called twice concurrently', async () => {
    const { connection } = await start();
    const made = await Promise.all([ensureDatabase(connection, 'odd "name'), ensureDatabase(connection, 'odd "name')]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await ensureDatabase(connection, 'odd "name')).toBe(false);
  });

  test('findBundledPostgres finds it while it runs', async () => {
    expect(findBundledPostgres(dataDir)).toBeUndefined();
    const running = await start();
    expect(findBundledPostgres(dataDir)).toEqual(running.connection);
    await running.stop();
    expect(findBundledPostgres(dataDir)).toBeUndefined();
  });
});
