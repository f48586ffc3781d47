import { beforeAll, describe, expect, test } from 'vitest';

import { KEYED_READ, makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';

type Line = Record<'requestId' | 'method' | 'route' | 'caller' | 'msg', string> &
  Record<'status' | 'ms' | 'bytes', number>;

const texts: string[] = [];
const s = fileProduct({ env: { REQUEST_LOG: 'all' }, onLogLine: (text) => texts.push(text) });
beforeAll(async () => {
  await s.job('market.listing');
});
const lines = () => texts.map((text) => JSON.parse(text) as Line);

/** Another process; its log lines before it listens are discarded. */
async function open(mode: string) {
  const product = await s.another({ REQUEST_LOG: mode });
  const url = `http://127.0.0.1:${(await product.listen()).port}`;
  await product.rebuild();
  texts.length = 0;
  return { product, url };
}

describe('REQUEST_LOG', () => {
  test('all: one line per request, prepared buffers too, with its route and without caller data', async () => {
    const url = `http://127.0.0.1:${(await s.product.listen()).port}`;
    const ann = await registerUser(s, 'ann', 'premium');
    const { api_key: key } = await makeKey(ann);
    texts.length = 0;
    const read = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
      return { answer, size: (await answer.arrayBuffer()).byteLength };
    };
    const plain = await read('/api/prices');
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ method: 'GET', route: '/api/prices', status: 200, caller: 'anonymous' });
    expect(lines()[0]?.requestId).toMatch(/^[\da-f-]{36}$/);
    expect(lines()[0]?.bytes).toBeGreaterThan(plain.size);
    expect(lines()[0]?.bytes).toBeLessThan(plain.size + 1000);

    const queried = await read('/api/prices?token=s3cret-query', { authorization: `Bearer ${ann.token}` });
    expect(queried.answer.status).toBe(200);
    const { answer } = await read('/api/keys', { authorization: `Bearer ${ann.token}` });
    await read(KEYED_READ, { 'x-api-key': key });
    await read('/no/such/page/s3cret-path');
    await expect.poll(lines).toHaveLength(5);
    expect(lines().map(({ route, status, caller }) => [route, status, caller])).toEqual([
      ['/api/prices', 200, 'anonymous'],
      ['/api/prices', 200, 'account'],
      ['/api/keys', 200, 'account'],
      [KEYED_READ, 200, 'key'],
      ['unmatched', expect.any(Number), 'anonymous'],
    ]);
    expect(lines()[2]?.requestId).toBe(answer.headers.get('x-request-id'));
    for (const line of lines()) {
      expect(Object.keys(line).toSorted()).toEqual([
        'bytes',
        'caller',
        'host',
        'level',
        'method',
        'ms',
        'msg',
        'process',
        'requestId',
        'role',
        'route',
        'status',
        'time',
      ]);
      expect(line.ms).toBeGreaterThan(0);
    }
    expect(texts.join('')).not.toMatch(/s3cret|127\.0\.0\.1|ann@|mk_live_/);
    expect(texts.join('')).not.toContain(ann.token);
  });

  test('errors: only 5xx responses', async () => {
    const { product, url } = await open('errors');
    await fetch(`${url}/api/prices`);
    await fetch(`${url}/api/no/such/call`);
    product.lifecycle.stopping();
    expect((await fetch(`${url}/api/health/ready`)).status).toBe(503);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ route: '/api/health/ready', status: 503 });
  });

  test('off, the default: no line', async () => {
    const { product, url } = await open('off');
    product.lifecycle.stopping();
    await fetch(`${url}/api/prices`);
    await fetch(`${url}/api/health/ready`);
    expect(lines()).toEqual([]);
  });
});
