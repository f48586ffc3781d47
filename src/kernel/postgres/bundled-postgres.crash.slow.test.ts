import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { stopBundledPostgres } from './bundled-postgres.ts';
import {
  asRoot,
  cleanUps,
  dataDir,
  eachInItsFolder,
  kill,
  orphan,
  PRODUCT,
  parentOf,
  query,
  serverPid,
  start,
  startProduct,
} from './fixtures/data-dir.ts';
import { isAlive, waitUntil } from './process.ts';

eachInItsFolder();

describe('startBundledPostgres after a crash', () => {
  test('exits promptly when its product is killed', async () => {
    const product = await startProduct();
    const pid = serverPid();
    await kill(product);
    expect(await waitUntil(() => !isAlive(pid), 1500)).toBe(true);
  });

  test('takes over an orphaned server, and stops it', async () => {
    const product = await startProduct();
    const pid = await orphan(product);
    await sleep(100);
    expect(isAlive(pid)).toBe(true);
    const adopted = await start();
    expect(adopted.adopted).toBe(true);
    expect(serverPid()).toBe(pid);
    await adopted.stop();
    expect(isAlive(pid)).toBe(false);
  });

  test('keeps every acknowledged row when product and server are killed repeatedly', async () => {
    let last = 0;
    for (let round = 0; round < 4; round += 1) {
      const product = await startProduct();
      expect(await waitUntil(() => product.lines.length > 20, 10_000)).toBe(true);
      if (round % 2) {
        const pid = serverPid();
        process.kill(parentOf(pid), 'SIGKILL');
        process.kill(pid, 'SIGKILL');
      }
      await kill(product);
      last = Math.max(last, ...product.lines.map(Number));
    }
    const { connection } = await start();
    const [row] = await query<{ rows: number; last: number }>(
      connection,
      'select count(*)::int as rows, max(id) as last from acknowledged',
    );
    expect(row?.last).toBeGreaterThanOrEqual(last);
    expect(row?.rows).toBe(row?.last);
  });

  test('repeats an interrupted initdb', async () => {
    const child = spawn(process.execPath, [PRODUCT, dataDir], { stdio: 'ignore' });
    const home = join(dataDir, 'postgres');
    const unfinished = () => existsSync(home) && readdirSync(home).some((name) => name.startsWith('initdb-'));
    expect(await waitUntil(unfinished, 10_000, 1)).toBe(true);
    await sleep(50);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(home, 'cluster'))).toBe(false);
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(unfinished()).toBe(false);
  });

  test('starts even if the pid of a lost server now belongs to another program', async () => {
    const product = await startProduct();
    const pid = serverPid();
    process.kill(parentOf(pid), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await kill(product);
    const other = spawn('sleep', ['60'], asRoot ? { uid: statSync(product.connection.host).uid } : {});
    cleanUps.push(() => other.kill());
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [other.pid, ...rest].join('\n'));
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('stopBundledPostgres stops an orphaned server', async () => {
  expect(await stopBundledPostgres(dataDir)).toBe(false);
  const pid = await orphan(await startProduct());
  await sleep(100);
  expect(await stopBundledPostgres(dataDir)).toBe(true);
  expect(isAlive(pid)).toBe(false);
});
