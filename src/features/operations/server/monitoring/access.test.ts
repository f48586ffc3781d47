import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { beforeAll, describe, expect, test } from 'vitest';

import type { Product } from '#app/server/product.ts';
import { readExposition } from '#tests/support/exposition.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const TOKEN = 'a token of thirty-two characters';
const REFUSED = 'Metrics are available on this machine only. Set METRICS_TOKEN to read them from elsewhere';
const UNNAMED = 'Metrics require the METRICS_TOKEN token';

const s = fileProduct();
let open: number;
let closed: number;
beforeAll(async () => {
  open = (await s.product.listen()).port;
  closed = (await (await s.another({ ROLE: 'web', METRICS_TOKEN: TOKEN })).listen()).port;
});

type Answer = { status: number; body: string; headers: Record<string, unknown> };
/** `fetch` does not allow a custom Host header. */
const ask = (port: number, headers: Record<string, string> = {}, path = '/metrics', method = 'GET') =>
  new Promise<Answer>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    asked.on('error', reject).end();
  });
const from = (product: Product, remoteAddress: string, headers = {}) =>
  product.app.inject({ url: '/metrics', remoteAddress, headers: { host: '127.0.0.1', ...headers } });

describe('GET /metrics without METRICS_TOKEN', () => {
  test('200 on this machine, as uncached Prometheus text', async () => {
    const { status, body, headers } = await ask(open);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body).toContain('meridian_build_info{version="1.0.0"');
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
      expect((await from(s.product, address)).statusCode, address).toBe(200);
  });

  test.each([
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { via: '1.1 proxy' },
    { host: 'rebound.example' },
    { host: 'localhost.example' },
    { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '10.0.0.1' },
  ])('403 for requests through a proxy or under another name: %o', async (headers) => {
    const { status, body } = await ask(open, headers);
    expect([status, JSON.parse(body)]).toEqual([403, { error: REFUSED, code: 'forbidden' }]);
  });

  test('403 from any other machine, whatever it claims to be', async () => {
    for (const address of ['10.0.0.5', '192.168.1.9', '203.0.113.7', '2001:db8::1', '::ffff:10.0.0.5', '128.0.0.1'])
      expect((await from(s.product, address)).statusCode, address).toBe(403);
    const trusting = await s.another({ ROLE: 'web', TRUST_PROXY: '1' });
    const spoofed = await from(trusting, '10.0.0.5', { 'x-forwarded-for': '127.0.0.1' });
    expect(spoofed.statusCode).toBe(403);
  });
});

describe('GET /metrics with METRICS_TOKEN', () => {
  test('200 for the token from anywhere, including through a proxy', async () => {
    expect((await ask(closed, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    const far = { authorization: `bearer ${TOKEN}`, host: 'meridian.example', 'x-forwarded-for': '203.0.113.7' };
    expect((await ask(closed, far)).status).toBe(200);
  });

  test.each([
    {},
    { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Basic ${TOKEN}` },
    { authorization: 'Bearer ' },
  ])('401 without it, even on this machine: %o', async (headers) => {
    const { status, body, headers: told } = await ask(closed, headers);
    expect([status, JSON.parse(body)]).toEqual([401, { error: UNNAMED, code: 'unauthenticated' }]);
    expect(told['www-authenticate']).toBe('Bearer');
  });

  test('no query, other method or spelling bypasses it', async () => {
    for (const path of ['/metrics?token=x', '/metrics/', '//metrics', '/%6detrics'])
      expect((await ask(closed, {}, path)).body, path).not.toContain('meridian_build_info');
    for (const method of ['HEAD', 'POST']) expect((await ask(closed, {}, '/metrics', method)).status).not.toBe(200);
  });
});

/** A port that was free moments ago. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}
const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status;

describe('METRICS_PORT', () => {
  test('a worker, which serves nothing else, exposes metrics and probes there', async () => {
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
        { error: 'Unknown API endpoint', code: 'not_found' },
      ]);
    }
    expect(await statusOf(`${url}/metrics`, { 'x-forwarded-for': '10.0.0.1' })).toBe(403);
    await worker.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  test('the token is required there too', async () => {
    const port = await freePort();
    const web = await s.another({ ROLE: 'web', METRICS_PORT: port, METRICS_TOKEN: 'sixteen characters' });
    await web.listenAside();
    const url = `http://127.0.0.1:${port}/metrics`;
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(url, { authorization: 'Bearer sixteen characters' })).toBe(200);
  });

  test('0, the default: no port', async () => {
    expect(await s.product.listenAside()).toBeNull();
  });
});
