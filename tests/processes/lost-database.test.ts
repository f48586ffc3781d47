import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import {
  dataDir,
  fetchDashboard,
  fetchHealth,
  processesOf,
  serverPid,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

const isWell = async (url: string) => {
  const { database } = await fetchHealth(url);
  return database.writable && database.note === null;
};

/** Requests the dashboard continuously and counts responses other than the full list. */
function keepReading(url: string) {
  const ending = new AbortController();
  const seen = { answers: 0, failures: 0, slowestMs: 0 };
  const reading = (async () => {
    while (!ending.signal.aborted) {
      const started = performance.now();
      const ok = await fetchDashboard(url).then(
        ({ cryptoPrices }) => cryptoPrices.length === 250,
        () => false,
      );
      seen[ok ? 'answers' : 'failures'] += 1;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
      await sleep(20);
    }
    return seen;
  })();
  return {
    answers: () => seen.answers,
    stop: () => {
      ending.abort();
      return reading;
    },
  };
}

describe('PostgreSQL crashes under the product', () => {
  test('it is restarted, reads continue meanwhile, and collecting resumes afterwards', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    const reader = keepReading(product.url);
    const killed: number[] = [];
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
      const pid = serverPid();
      killed.push(pid);
      const before = reader.answers();
      process.kill(pid, signal);
      await waitUntil(60_000, () => serverPid() !== pid && isWell(product.url));
      expect(reader.answers()).toBeGreaterThan(before + 1);
    }
    const died = Date.now();
    const { failures } = await reader.stop();
    expect(failures).toBe(0);
    expect(new Set(killed).size).toBe(3);
    expect(product.output()).toMatch(/PostgreSQL has ended under the running product/);
    expect(product.output()).toMatch(/PostgreSQL runs again/);
    expect(product.output()).not.toMatch(/unhandled|uncaught/i);

    // Venue streams are connected again.
    await waitUntil(60_000, async () => {
      const { cryptoPrices } = await fetchDashboard(product.url);
      return cryptoPrices.some(({ meta }) => Date.parse(meta.observedAt) > died);
    });
    product.kill('SIGTERM');
    expect(await waitForExit(product, 12_000)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('one of its sessions dies: PostgreSQL recovers, the product continues', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    const reader = keepReading(product.url);
    const postmaster = serverPid();
    const sessions = processesOf(dataDir).filter((pid) => pid > postmaster + 3);
    process.kill(sessions.at(-1) ?? 0, 'SIGKILL');
    await sleep(1000);
    await waitUntil(60_000, () => isWell(product.url));
    expect((await reader.stop()).failures).toBe(0);
    expect(serverPid()).toBe(postmaster);
    expect(product.isRunning()).toBe(true);
  });

  test('stopping the product in the middle of it leaves nothing behind', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    process.kill(serverPid(), 'SIGKILL');
    await sleep(300);
    product.kill('SIGTERM');
    expect(await waitForExit(product, 20_000)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  });

  test('during the outage health reports it, and database-backed calls get 503 with a message', async () => {
    const product = await startAndServe();
    await waitForCollection(product.url);
    // Its own start fails while its program finds no configuration.
    const file = `${dataDir}/postgres/cluster/postgresql.conf`;
    renameSync(file, `${file}.away`);
    process.kill(serverPid(), 'SIGKILL');
    await waitUntil(60_000, async () => (await fetchHealth(product.url)).database.note !== null);
    expect(await fetchHealth(product.url)).toMatchObject({
      status: 'degraded',
      database: { version: 'unknown', writable: false },
    });
    await product.waitForOutput(/could not be started again: .+ Next try in [\d.]+ s/);
    const candles = await fetch(`${product.url}/api/coins/bitcoin/candles?range=7d`);
    expect(candles.status).toBe(503);
    expect(await candles.json()).toMatchObject({ code: 'unavailable' });
    expect((await fetchDashboard(product.url)).cryptoPrices).toHaveLength(250);
    // It checks every two seconds: a shorter outage is over before it is noticed.
    await product.waitForOutput(/The database is not responding: writes wait, prepared pages are still served/);
    renameSync(`${file}.away`, file);
    await waitUntil(40_000, () => isWell(product.url));
    await product.waitForOutput(/The database accepts writes again/);
  });
});
