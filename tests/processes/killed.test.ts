import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';

import { findBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import {
  type ChildHandle,
  dataDir,
  fetchDashboard,
  processesOf,
  sandbox,
  spawnProduct,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';

useProcesses();

// Thirty take three minutes: use KILLS=30 for a manual run.
const KILLS = Number(process.env['KILLS'] ?? (process.env['CI'] === 'true' ? 12 : 6));
const LIMIT_MS = 240_000 + KILLS * 10_000;
/** Append-only rows: once seen committed, they must be found again. */
const ROWS = `select 'observation ' || coin_key || ' ' || source || ' ' || observed_at as row from price_observations
  union all select 'day ' || coin_key || ' ' || at from candles_1d
  union all select 'collection ' || id from collections
  union all select 'coin ' || id from coins
  union all select 'past ' || coin_id from candle_backfills`;

/** Acknowledged so far: rows seen committed, and times seen on the page. */
type Seen = { rows: Set<string>; lastCollectionTime: string; listedAt: Map<string, string> };

async function rowsOf(): Promise<string[]> {
  const client = new Client({ ...findBundledPostgres(dataDir), database: 'meridian' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ row: string }>(ROWS)).rows.map(({ row }) => row);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function statesOf(job: string): Promise<string[]> {
  const client = new Client({ ...findBundledPostgres(dataDir), database: 'meridian' });
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string }>('select state from pgboss.job where name = $1', [job]);
    return rows.map(({ state }) => state);
  } finally {
    await client.end();
  }
}

async function look(url: string, seen: Seen): Promise<void> {
  for (const row of await rowsOf()) seen.rows.add(row);
  const { lastCollectionTime, cryptoPrices } = await fetchDashboard(url);
  if (String(lastCollectionTime) > seen.lastCollectionTime) seen.lastCollectionTime = String(lastCollectionTime);
  for (const coin of cryptoPrices) seen.listedAt.set(coin.symbol, coin.listing.observedAt);
}

/** Everything seen is still in the database and on the page. */
async function expectAll(url: string, seen: Seen): Promise<void> {
  const rows = new Set(await rowsOf());
  expect([...seen.rows].filter((row) => !rows.has(row))).toEqual([]);
  const { lastCollectionTime, cryptoPrices } = await fetchDashboard(url);
  if (seen.lastCollectionTime) expect(String(lastCollectionTime) >= seen.lastCollectionTime).toBe(true);
  const listed = new Map(cryptoPrices.map((coin) => [coin.symbol, coin.listing.observedAt]));
  for (const [symbol, at] of seen.listedAt) expect(String(listed.get(symbol)) >= at, symbol).toBe(true);
}

async function kill(product: ChildHandle): Promise<void> {
  product.kill('SIGKILL');
  await product.ended;
}

test(
  `killed ${KILLS} times at any moment, it loses nothing it has shown, and each start recovers without intervention`,
  async () => {
    const seen: Seen = { rows: new Set(), lastCollectionTime: '', listedAt: new Map() };
    const first = await startAndServe();
    await waitForCollection(first.url);
    await look(first.url, seen);
    await kill(first);

    for (let round = 1; round < KILLS; round += 1) {
      // Every third time it is killed during its start.
      if (round % 3 === 2) {
        const early = spawnProduct();
        await sleep(Math.random() * 2000);
        await kill(early);
        continue;
      }
      const product = await startAndServe();
      await expectAll(product.url, seen);
      const until = performance.now() + Math.random() * 2500;
      do await look(product.url, seen);
      while (performance.now() < until);
      await kill(product);
    }

    const begun = new Date().toISOString();
    const last = await startAndServe();
    await expectAll(last.url, seen);
    // The work of a killed process is reassigned without manual action.
    await waitUntil(150_000, async () => String((await fetchDashboard(last.url)).lastCollectionTime) > begun);
    expect(seen.rows.size).toBeGreaterThan(500);
    expect(last.output()).not.toMatch(/PANIC|unhandled|uncaught/i);
    last.kill('SIGTERM');
    expect(await waitForExit(last, 12_000)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  },
  LIMIT_MS,
);

test('a listing read interrupted by the kill is repeated within two minutes', async () => {
  sandbox.faults.set({ provider: 'coingecko', kind: 'timeout' });
  const product = await startAndServe();
  await waitUntil(60_000, async () => (await statesOf('market.listing')).includes('active'));
  await kill(product);
  sandbox.faults.clear();
  const next = await startAndServe();
  await waitForCollection(next.url, 115_000);
}, 200_000);
