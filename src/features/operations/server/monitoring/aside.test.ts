import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readExposition } from '#tests/support/exposition.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
beforeAll(async () => {
  s = await start();
});
afterAll(() => s.stop());

/** A port that was free a moment ago. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}
const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

describe('METRICS_PORT', () => {
  test('a worker, which serves nothing else, shows figures and probes there', async () => {
    const port = await freePort();
    const worker = await s.another({ ROLE: 'worker', METRICS_PORT: port });
    expect((await worker.listenAside())?.address).toBe('127.0.0.1');
    const url = `http://127.0.0.1:${port}`;
    expect(await statusOf(`${url}/api/health/live`)).toBe(200);
    expect(await statusOf(`${url}/api/health/ready`)).toBe(503);
    await worker.work();
    const ready = await fetch(`${url}/api/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', role: 'worker' }]);
    const scrape = readExposition(await (await fetch(`${url}/metrics`)).text());
    expect(scrape.value('meridian_build_info', { role: 'worker', version: '1.0.0' })).toBe(1);
    expect(scrape.value('meridian_serving')).toBe(1);
    for (const path of ['/', '/api/health', '/api/dashboard', '/app']) {
      const answer = await fetch(`${url}${path}`);
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        { error: 'There is no such call', code: 'not_found' },
      ]);
    }
    expect(await statusOf(`${url}/metrics`, { 'x-forwarded-for': '10.0.0.1' })).toBe(403);
    await worker.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  test('the token holds there too', async () => {
    const port = await freePort();
    const web = await s.another({ ROLE: 'web', METRICS_PORT: port, METRICS_TOKEN: 'sixteen characters' });
    await web.listenAside();
    const url = `http://127.0.0.1:${port}/metrics`;
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(url, { authorization: 'Bearer sixteen characters' })).toBe(200);
  });

  test('0, which is the default: no port', async () => {
    expect(await s.product.listenAside()).toBeNull();
  });
});
