import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import {
  dataDir,
  fetchDashboard,
  fetchHealth,
  processesOf,
  run,
  serverPid,
  spawnProduct,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

const job = (...args: string[]) => run(['scripts/bootstrap.mjs', 'job', ...args]);

describe('a manual job run', () => {
  test('works on the running product’s database; the product shows the result and continues', async () => {
    const product = await startAndServe();
    const before = await waitForCollection(product.url);
    const collect = job('market.collect');
    expect(await waitForExit(collect, 30_000), collect.output()).toBe(0);
    expect(collect.output()).toBe('market.collect: done\n');
    await waitUntil(60_000, async () => {
      const { lastCollectionTime } = await fetchDashboard(product.url);
      return String(lastCollectionTime) > String(before.lastCollectionTime);
    });
    expect(await fetchHealth(product.url)).toMatchObject({ database: { writable: true, note: null } });

    const wrong = job('market.colect');
    expect(await waitForExit(wrong, 30_000)).toBe(1);
    expect(wrong.output()).toMatch(/^Unknown job "market\.colect"\. Jobs: .*market\.listing, market\.collect.*\n$/);

    const malformed = job('market.backfill', '{coin}');
    expect(await waitForExit(malformed, 30_000)).toBe(1);
    expect(malformed.output()).toBe('The payload is not valid JSON: {coin}\n');

    const incomplete = job('market.backfill', '{}');
    expect(await waitForExit(incomplete, 30_000)).toBe(1);
    expect(incomplete.output()).toMatch(/^market\.backfill: coinId: .+\n$/);
    expect(product.isRunning()).toBe(true);
  });

  test('connects to it however late its PostgreSQL responds', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    process.kill(serverPid(), 'SIGSTOP');
    const collect = job('market.collect');
    await sleep(6000);
    process.kill(serverPid(), 'SIGCONT');
    expect(await waitForExit(collect, 30_000), collect.output()).toBe(0);
    expect(product.isRunning()).toBe(true);
  });

  test('without a running product starts its own database and stops it again', async () => {
    const listing = job('market.listing');
    expect(await waitForExit(listing, 40_000), listing.output()).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    const product = await startAndServe();
    expect((await fetchDashboard(product.url)).cryptoPrices).toHaveLength(250);
  });
});

describe('a second product on one DATA_DIR', () => {
  test('reports it in one sentence and stops; the first continues', async () => {
    const first = await startAndServe();
    await waitForCollection(first.url);
    const second = spawnProduct();
    expect(await waitForExit(second, 30_000)).toBe(1);
    expect(second.output()).toBe(`Another Meridian is already running on DATA_DIR ${dataDir}.\n`);
    expect(first.isRunning()).toBe(true);
    expect(await fetchHealth(first.url)).toMatchObject({ database: { writable: true, note: null } });

    const stop = run(['scripts/bootstrap.mjs', 'db:stop']);
    expect(await waitForExit(stop, 30_000)).toBe(1);
    expect(stop.output()).toBe(`Meridian is running on DATA_DIR ${dataDir}. Stop it, and its database stops too.\n`);
    expect((await fetchDashboard(first.url)).cryptoPrices).toHaveLength(250);
  });
});
