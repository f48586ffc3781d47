import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import {
  fetchDashboard,
  fetchHealth,
  spawnProduct,
  startAndServe,
  useProcesses,
  waitForCollection,
  waitForExit,
  waitUntil,
} from '#tests/support/processes.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  const { host, port, user, password } = inject('testServer').connection;
  const address = new URL(`postgres://localhost:${port}/${database.connection.database}`);
  address.username = user;
  address.password = password;
  address.searchParams.set('host', host);
  url = address.href;
});
// Registered before the processes, so it runs after they have ended.
afterEach(() => database.drop());
useProcesses();

/** Reads the price stream until a frame newer than `since` arrives. */
async function untilFrame(stream: ReadableStreamDefaultReader<Uint8Array>, since: number): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await stream.read();
    if (done) throw new Error('The stream has ended');
    text = (text + decoder.decode(value, { stream: true })).slice(-100_000);
    if ([...text.matchAll(/data: \{"at":(\d+)/g)].some(([, at]) => Number(at) > since)) return;
  }
}

test('the worker collects, the web process serves and streams, and continues with ages when the worker is killed', async () => {
  const web = await startAndServe({ DATABASE_URL: url, ROLE: 'web' });
  expect((await fetchDashboard(web.url)).cryptoPrices).toEqual([]);
  const worker = spawnProduct({ DATABASE_URL: url, ROLE: 'worker' });
  await worker.waitForOutput(/Meridian 1\.0\.0/);
  expect(worker.output()).not.toContain('address');

  const collected = await waitForCollection(web.url);
  expect(collected.cryptoPrices).toHaveLength(250);
  expect(await fetchHealth(web.url)).toMatchObject({ role: 'web', database: { kind: 'external', writable: true } });
  const response = await fetch(`${web.url}/api/stream?topics=prices`, { headers: { 'accept-encoding': 'identity' } });
  const stream = (response.body as ReadableStream<Uint8Array>).getReader();
  await untilFrame(stream, 0);

  const killed = Date.now();
  worker.kill('SIGKILL');
  await worker.ended;
  // Frames in transit may still arrive; then nothing changes, and every number keeps its time.
  let last = await fetchDashboard(web.url);
  await waitUntil(60_000, async () => {
    const before = last;
    await new Promise((resolve) => setTimeout(resolve, 6000));
    last = await fetchDashboard(web.url);
    return JSON.stringify(before.cryptoPrices) === JSON.stringify(last.cryptoPrices);
  });
  expect(last.cryptoPrices).toHaveLength(250);
  for (const coin of last.cryptoPrices) expect(Date.parse(coin.meta.observedAt)).toBeLessThan(Date.now() - 3000);
  expect(await fetchHealth(web.url)).toMatchObject({ database: { writable: true, note: null } });

  const successor = spawnProduct({ DATABASE_URL: url, ROLE: 'worker' });
  await successor.waitForOutput(/Meridian 1\.0\.0/);
  await untilFrame(stream, killed + 1000);
  await stream.cancel();
  successor.kill('SIGTERM');
  expect(await waitForExit(successor, 12_000)).toBe(0);
  web.kill('SIGTERM');
  expect(await waitForExit(web, 12_000)).toBe(0);
});
