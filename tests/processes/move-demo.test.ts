import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';

import { get, run, startAndServe, useProcesses, waitForExit } from '#tests/support/processes.ts';

const NAME = `moved_${randomBytes(6).toString('hex')}`;
const DEMO = { DATA_MODE: 'demo', DEMO_RECORD_DAYS: '1', METRIC_PAST_DAYS: '1' };

// Registered before the processes, so it runs after they have ended.
afterEach(async () => {
  const client = new pg.Client({ ...inject('testServer').connection, database: 'postgres' });
  await client.connect();
  for (const name of [NAME, `${NAME}_demo`]) await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
});
useProcesses();

function address(): string {
  const { host, port, user, password } = inject('testServer').connection;
  const url = new URL(`postgres://localhost:${port}/${NAME}`);
  url.username = user;
  url.password = password;
  url.searchParams.set('host', host);
  return url.href;
}

test('moved demo data starts with the address printed by move-db, even without earlier data', async () => {
  const product = await startAndServe(DEMO);
  product.kill('SIGTERM');
  expect(await waitForExit(product, 60_000)).toBe(0);

  const moved = run(['src/app/server/main.ts', 'move-db', '--to', address()], DEMO);
  expect(await waitForExit(moved, 120_000), moved.output()).toBe(0);
  expect(moved.output()).toMatch(new RegExp(`^moved {5}demo data from bundled .* to the database ${NAME}_demo$`, 'm'));
  const there = await startAndServe({ ...DEMO, DATABASE_URL: address() });
  expect(await get(`${there.url}/api/health`)).toMatchObject({ dataMode: 'demo', database: { kind: 'external' } });
  expect(await get(`${there.url}/api/ledger/verify`)).toMatchObject({ faults: [] });
}, 300_000);
