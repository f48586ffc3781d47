import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';

import { findBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import {
  cleanUps,
  dataDir,
  fetchDashboard,
  fetchHealth,
  processesOf,
  run,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

function mountSmallDisk(): boolean {
  mkdirSync(dataDir);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', dataDir], { stdio: 'pipe' });
    cleanUps.push(() => execFileSync('umount', ['-l', dataDir]));
    return true;
  } catch (error) {
    console.log(
      `SKIPPED: a small disk cannot be mounted here: ${String((error as { stderr?: Buffer }).stderr).trim()}`,
    );
    return false;
  }
}

function fillDisk(): void {
  const file = openSync(`${dataDir}/filler`, 'a');
  for (let size = 1 << 20; size >= 512; size = size / 2) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

/** Immediately consumes any space PostgreSQL frees. */
function keepDiskFull(): { empty: () => void } {
  fillDisk();
  const timer = setInterval(fillDisk, 20);
  cleanUps.push(() => clearInterval(timer));
  return {
    empty() {
      clearInterval(timer);
      rmSync(`${dataDir}/filler`);
    },
  };
}

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ ...findBundledPostgres(dataDir), database: 'meridian' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const noteOf = async (url: string) => (await fetchHealth(url)).database.note;

async function expectReads(url: string): Promise<void> {
  expect((await fetchHealth(url)).status).toBe('degraded');
  expect((await fetchDashboard(url)).cryptoPrices).toHaveLength(250);
  for (const path of ['/api/prices', '/api/prices/sparklines'])
    expect((await fetch(url + path)).status, path).toBe(200);
}

test('a full disk: writes fail with a clear error, reads continue, and all is stored once space is free', async ({
  skip,
}) => {
  if (!mountSmallDisk()) skip();
  const product = await startAndServe();
  await waitForCollection(product.url);

  const disk = keepDiskFull();
  await waitUntil(40_000, async () => /disk/.test((await noteOf(product.url)) ?? ''));
  await expectReads(product.url);
  await product.waitForOutput(/"level":"error".*The database disk is full/);

  // The WAL cannot grow either: PostgreSQL stops, and cannot recover while the disk is full.
  const write = `do $$ begin for i in 1..400 loop
    perform pg_logical_emit_message(false, 'fill', repeat('x', 65536)); end loop; end $$`;
  await waitUntil(60_000, async () => {
    const failed = await query(write).then(
      () => false,
      () => true,
    );
    return failed && !(await fetchHealth(product.url)).database.writable;
  });
  await product.waitForOutput(/could not be started again: .*disk of DATA_DIR is full/);
  await expectReads(product.url);
  expect(product.isRunning()).toBe(true);

  disk.empty();
  const since = Date.now();
  await waitUntil(
    60_000,
    async () => (await fetchHealth(product.url)).database.writable && !(await noteOf(product.url)),
  );
  await waitUntil(45_000, async () => {
    const [row] = await query<{ at: Date }>('select max(fetched_at) as at from coin_quotes');
    return (row?.at.getTime() ?? 0) > since;
  });
  const { lastCollectionTime } = await fetchDashboard(product.url);
  expect(await waitForExit(run(['src/app/server/main.ts', 'job', 'market.listing']), 30_000)).toBe(0);
  await waitUntil(60_000, async () => (await fetchDashboard(product.url)).lastCollectionTime !== lastCollectionTime);
  expect(product.output()).not.toMatch(/unhandled|uncaught/i);
  product.kill('SIGTERM');
  expect(await waitForExit(product, 15_000)).toBe(0);
  expect(processesOf(dataDir)).toEqual([]);
}, 240_000);
