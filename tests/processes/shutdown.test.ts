import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { isAlive } from '#kernel/postgres/process.ts';
import {
  dataDir,
  fetchDashboard,
  processesOf,
  run,
  sandbox,
  spawnProduct,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

const LIMIT_MS = 12_000;
const { findNpm } = (await import(new URL('../../scripts/bootstrap/npm.mjs', import.meta.url).href)) as {
  findNpm: () => string;
};
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
const postgres = (...path: string[]) => [dataDir, 'postgres', ...path].join('/');

describe('shutdown of a running product', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it in time, along with its database', async (signal) => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    expect(processesOf(dataDir)).not.toEqual([]);
    product.kill(signal);
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    expect(existsSync(postgres('cluster/postmaster.pid'))).toBe(false);
  });

  test.each([
    ['npm', 'SIGTERM'],
    ['npm', 'SIGINT'],
    ['the bootstrap', 'SIGTERM'],
    ['the bootstrap', 'SIGINT'],
  ] as const)('npm start: %s gets %s, and the whole process tree ends', async (who, signal) => {
    const npm = run([findNpm(), 'start']);
    await npm.waitForOutput(/database[^\n]*\n/, 60_000);
    const bootstrap = childrenOf(npm.pid)[0] ?? 0;
    const product = childrenOf(bootstrap)[0] ?? 0;
    process.kill(who === 'npm' ? npm.pid : bootstrap, signal);
    await waitForExit(npm, LIMIT_MS);
    await waitUntil(LIMIT_MS, () => !isAlive(bootstrap) && !isAlive(product));
    expect(processesOf(dataDir)).toEqual([]);
    expect(existsSync(postgres('cluster/postmaster.pid'))).toBe(false);
  });

  test('neither an open stream nor an unresponsive source delays it past its limit', async () => {
    sandbox.faults.set({ kind: 'timeout', provider: '*' });
    const product = await startAndServe();
    const stream = await fetch(`${product.url}/api/stream`);
    const read = stream.text();
    await sleep(1000);
    product.kill('SIGTERM');
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(await read).toContain('retry:');
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('a stalled reader does not delay it', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    const reader = connect(Number(new URL(product.url).port), '127.0.0.1').pause();
    reader.on('error', () => undefined);
    reader.write('GET /api/stream HTTP/1.1\r\nhost: meridian\r\n\r\n');
    await sleep(1000);
    product.kill('SIGTERM');
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    reader.destroy();
  });

  test('a second signal neither shortens nor delays it', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    product.kill('SIGINT');
    product.kill('SIGINT');
    product.kill('SIGTERM');
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('DRAIN_SECONDS: it first reports not ready and continues to serve', async () => {
    const product = await startAndServe({ DRAIN_SECONDS: '60' });
    await waitForCollection(product.url);
    const ready = async () => (await fetch(`${product.url}/api/health/ready`)).status;
    expect(await ready()).toBe(200);
    // Like Ctrl-C under npm: the terminal's signal, npm's and the bootstrap's.
    for (let i = 0; i < 3; i++) product.kill('SIGINT');
    await waitUntil(3000, async () => (await ready()) === 503);
    await sleep(5000);
    expect((await fetchDashboard(product.url)).cryptoPrices).toHaveLength(250);
    expect(product.isRunning()).toBe(true);
    product.kill('SIGTERM');
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('collected data is available after the next start', async () => {
    const first = await startAndServe();
    const before = await waitForCollection(first.url);
    first.kill('SIGTERM');
    await waitForExit(first, LIMIT_MS);
    sandbox.faults.set({ kind: 'server_error', provider: '*' });
    const second = await startAndServe();
    const after = await fetchDashboard(second.url);
    expect(after.lastCollectionTime).toBe(before.lastCollectionTime);
    expect(after.cryptoPrices).toHaveLength(before.cryptoPrices.length);
  });
});

describe('a signal before startup completes', () => {
  const isInitdbAtWork = () => readdirSync(postgres()).some((name) => name.startsWith('initdb-'));
  test.each([
    ['while the database is being made', isInitdbAtWork, 0],
    ['while PostgreSQL starts', () => existsSync(postgres('cluster/postmaster.pid')), 0],
    ['during the migrations', () => existsSync(postgres('run/.s.PGSQL.5432')), 250],
    ['while the product is put together', () => existsSync(postgres('run/.s.PGSQL.5432')), 600],
  ])('%s: it stops in time, nothing remains, and the next start serves', async (_when, isReached, waitMs) => {
    const product = spawnProduct();
    await waitUntil(60_000, isReached);
    await sleep(waitMs);
    product.kill('SIGTERM');
    expect(await waitForExit(product, LIMIT_MS)).toBe(0);
    expect(product.output()).not.toMatch(/^ +at |AbortError/m);
    expect(processesOf(dataDir)).toEqual([]);
    expect(existsSync(postgres('cluster/postmaster.pid'))).toBe(false);

    const next = await startAndServe();
    expect(isInitdbAtWork()).toBe(false);
    next.kill('SIGTERM');
    expect(await waitForExit(next, LIMIT_MS)).toBe(0);
  });

  test('while the programs are still loading', async () => {
    const product = spawnProduct();
    await sleep(60);
    product.kill('SIGTERM');
    expect(['SIGTERM', 0]).toContain(await waitForExit(product, LIMIT_MS));
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('while a database server is unresponsive', async () => {
    // An unassigned address: packets to it are dropped or refused.
    const product = spawnProduct({ DATABASE_URL: 'postgres://me:secret@198.51.100.1:5432/meridian' });
    await sleep(1500);
    product.kill('SIGTERM');
    await waitForExit(product, LIMIT_MS);
  });
});
