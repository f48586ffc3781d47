import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pricesTopic } from '#features/market/contract/market.ts';
import { hasCaddy, type Proxy, startCaddy } from '#tests/support/caddy.ts';
import { disableDatabase, enableDatabase } from '#tests/support/database-outage.ts';
import { contactPage, imageBlob } from '#tests/support/mailbox.ts';
import { PASSWORD, registerUser, type TestUser } from '#tests/support/people.ts';
import { waitUntil } from '#tests/support/processes.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

/** No server listens here: a web process that is down. */
const AWAY = '127.0.0.1:9';

const isThere = hasCaddy();
if (!isThere && process.env['CI'] === 'true') throw new Error('caddy is not installed');
if (!isThere) console.warn('The tests behind Caddy are skipped: caddy is not installed');

let s: TestProduct;
let proxy: Proxy;
let premium: TestUser;

beforeAll(async () => {
  if (!isThere) return;
  s = await start({ env: { TRUST_PROXY: '1', PUBLIC_URL: 'https://localhost' } });
  await s.job('market.listing');
  await s.job('metrics.slow');
  premium = await registerUser(s, 'premium', 'premium');
  const { port } = await s.product.listen();
  proxy = await startCaddy([AWAY, `127.0.0.1:${port}`]);
});
afterAll(async () => {
  await proxy?.stop();
  await s?.stop();
});

const direct = (path: string, headers: Record<string, string> = {}) => s.get(path, headers);
const json = { 'content-type': 'application/json' };

/** Reads until the text has arrived; the caller measures the time. */
async function until(stream: IncomingMessage, wanted: string): Promise<string> {
  let text = '';
  for await (const part of stream.iterator({ destroyOnReturn: false })) {
    text += (part as Buffer).toString();
    if (text.includes(wanted)) return text;
  }
  throw new Error(`The stream ended: ${text}`);
}

describe.skipIf(!isThere)('behind Caddy with the shipped Caddyfile', () => {
  test('pages arrive over TLS as the product compressed them, http redirects to https, HSTS is set once', async () => {
    const page = await proxy.request('/app', { headers: { 'accept-encoding': 'br' } });
    expect([page.status, page.headers['content-encoding']]).toEqual([200, 'br']);
    expect(page.body.equals((await direct('/app', { 'accept-encoding': 'br' })).rawPayload)).toBe(true);
    const names = page.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names.filter((name) => name === 'strict-transport-security')).toHaveLength(1);
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    const plain = await proxy.requestPlain('/app');
    expect([plain.status, plain.headers.location]).toEqual([308, 'https://localhost/app']);
  });

  test('a web process outage goes unnoticed, and operator metrics are not exposed', async () => {
    for (let i = 0; i < 10; i++) expect((await proxy.request('/api/dashboard')).status).toBe(200);
    const metrics = await proxy.request('/metrics');
    expect([metrics.status, metrics.body.length]).toEqual([404, 0]);
  });

  test('a conditional request with a current ETag gets 304 without a body', async () => {
    const first = await proxy.request('/api/dashboard');
    const again = await proxy.request('/api/dashboard', { headers: { 'if-none-match': first.headers.etag ?? '' } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('a stream starts immediately, each frame arrives when sent, and leaving ends it at the product too', async () => {
    const clients = () => s.product.market.ctx.live.hub.clients();
    const before = clients();
    const began = performance.now();
    const stream = await proxy.open('/api/stream?topics=prices', { headers: { accept: 'text/event-stream' } });
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await until(stream, 'retry: 3000');
    for (const at of [1_795_000_001, 1_795_000_002]) {
      await s.product.market.ctx.live.publish(pricesTopic, { at, sources: ['OKX'], ticks: [] });
      expect(await until(stream, `"at":${at}`)).toContain('event: prices');
    }
    expect(performance.now() - began).toBeLessThan(5000);
    expect(clients()).toBe(before + 1);
    stream.destroy();
    await waitUntil(5000, () => clients() === before);
  });

  test('an upload arrives intact', async () => {
    const sum = contactPage(s);
    const form = new FormData();
    for (const [name, value] of Object.entries(await sum.solvedForm())) form.append(name, value);
    const pixel = await direct('/icon-192.png').then((icon) => icon.rawPayload);
    form.append('screenshot', imageBlob(pixel), 'x.png');
    const request = new Response(form);
    const answer = await proxy.request('/api/contact', {
      method: 'POST',
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: Buffer.from(await request.arrayBuffer()),
    });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"success":true}']);
    expect(Buffer.from((await sum.rows()).at(-1)?.screenshot as Uint8Array).equals(pixel)).toBe(true);
  });

  test('a file downloads unmodified', async () => {
    const made = await proxy.request('/api/exports/create', {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${premium.token}` },
      body: Buffer.from(JSON.stringify({ dataTypes: ['fear_greed'], dateRange: '7d', format: 'csv' })),
    });
    expect(made.status, made.body.toString()).toBe(200);
    const path = `/api/exports/${String(made.headers['x-export-id'])}/file`;
    const file = await proxy.request(path, { headers: { authorization: `Bearer ${premium.token}` } });
    const own = await direct(path, { authorization: `Bearer ${premium.token}` });
    expect([file.status, file.body.equals(own.rawPayload)]).toEqual([200, true]);
    expect(file.body.length).toBeGreaterThan(0);
  });

  test('limits count the visitor, and a forged X-Forwarded-For is ignored', async () => {
    let forged = 0;
    const guess = async (from: string) => {
      forged += 1;
      const answer = await proxy.request('/api/auth/login', {
        method: 'POST',
        from,
        headers: { ...json, 'x-forwarded-for': `203.0.113.${forged}, 198.51.${forged}.7` },
        body: Buffer.from(JSON.stringify({ email: premium.email, password: 'A-wrong-guess-1' })),
      });
      return answer.status;
    };
    const first: number[] = [];
    for (let i = 0; i < 11; i++) first.push(await guess('127.0.1.5'));
    expect(first).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect(await guess('127.0.2.5')).toBe(401);
    const signIn = { email: premium.email, password: PASSWORD };
    const home = await proxy.request('/api/auth/login', {
      method: 'POST',
      from: '127.0.3.5',
      headers: json,
      body: Buffer.from(JSON.stringify(signIn)),
    });
    expect(home.status).toBe(200);
  });

  test('while the database is down prepared pages are still served, and database-backed calls report it', async () => {
    await disableDatabase(s.connection);
    await expect.poll(async () => (await direct('/api/health/ready')).statusCode).toBe(503);
    // Longer than the proxy takes to check the process and to remove it.
    await sleep(5000);
    const [prepared, asked] = [await proxy.request('/api/dashboard'), await proxy.request('/api/status')];
    await enableDatabase(s.connection);
    expect(prepared.status).toBe(200);
    // A response of the product, not the empty one of a proxy without upstreams.
    expect(asked.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
