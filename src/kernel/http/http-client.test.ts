import type { RequestListener } from 'node:http';

import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { hangsUp, says, saysNothing, startWorld, type World } from './fixtures/world.ts';
import { createSourceClient, type SourceOptions } from './http-client.ts';
import { SourceError } from './source-error.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const price = z.object({ price: z.number() });

let world: World | undefined;
afterEach(() => {
  world?.close();
  vi.useRealTimers();
});

async function source(answers: RequestListener[], options: Partial<SourceOptions> = {}) {
  world = await startWorld(...answers);
  const client = createSourceClient(
    {
      name: 'Exchange',
      baseUrl: world.baseUrl,
      perMinute: 60_000,
      burst: 100,
      retries: 0,
      timeoutMs: 2000,
      ...options,
    },
    () => NOW,
  );
  return { client, world, get: (signal?: AbortSignal) => client.get('/price', price, signal ? { signal } : {}) };
}

const failureOf = async (call: Promise<unknown>): Promise<SourceError> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SourceError);
  return failure as SourceError;
};

describe('a call', () => {
  test('returns the validated body with its fetch time, and sends query and headers', async () => {
    const { client, world } = await source([says(200, { price: 7, extra: 'x' })], { headers: { 'x-key': 'k' } });
    expect(await client.get('/price', price, { query: { id: 'a b', limit: 2 } })).toEqual({
      data: { price: 7 },
      fetchedAt: NOW,
    });
    expect(world.requests[0]?.url).toBe('/price?id=a+b&limit=2');
    expect(world.requests[0]?.headers).toMatchObject({ 'x-key': 'k', accept: 'application/json' });
  });

  const FAILURES: [what: string, answer: RequestListener, kind: string, message: RegExp][] = [
    ['a server error', says(503), 'status', /^Exchange returned 503$/],
    ['a refusal with a status', says(403, { error: 'no 500 plan' }), 'status', /^Exchange returned 403: no 500 plan$/],
    ['a refusal under 200', says(200, { error: 'bad key' }), 'body', /^Exchange refused: bad key$/],
    ['a page under 200', says(200, '<html>Request Denied</html>'), 'body', /invalid JSON/],
    ['half a body under 200', says(200, '{"price": 1'), 'body', /invalid JSON/],
    ['another shape under 200', says(200, { price: null }), 'body', /unexpected format at price/],
    ['a body of another status that is not JSON', says(404, 'Not found'), 'status', /^Exchange returned 404$/],
    ['a connection that is cut', hangsUp, 'network', /^Exchange is unreachable/],
  ];
  const refusal = (body: unknown) => (body as { error?: string }).error ?? null;

  test.each(FAILURES)('fails with its kind and a message on %s', async (_what, answer, kind, message) => {
    const { get } = await source([answer], { parseError: refusal });
    const failure = await failureOf(get());
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test('times out on a source that never answers', async () => {
    const { get } = await source([saysNothing], { timeoutMs: 150 });
    const begin = performance.now();
    expect(await failureOf(get())).toMatchObject({
      kind: 'timeout',
      message: 'Exchange did not respond within 0.15 s',
    });
    expect(performance.now() - begin).toBeLessThan(1000);
  });

  test('times out on a body that stops midway', async () => {
    const stalls: RequestListener = (_, response) => response.writeHead(200).write('{"price":');
    const { get } = await source([stalls], { timeoutMs: 150 });
    expect(await failureOf(get())).toMatchObject({ kind: 'timeout' });
  });

  test('rejects an announced body over 32 MB without reading it', async () => {
    const { get } = await source([says(200, 'x', { 'content-length': String(33 << 20) })]);
    expect(await failureOf(get())).toMatchObject({ kind: 'body', message: 'Exchange sent more than 32 MB' });
  });

  test('stops reading an endless body at 32 MB', async () => {
    let sent = 0;
    const endless: RequestListener = (_, response) => {
      const part = Buffer.alloc(1 << 20, 'x');
      const more = () => {
        while (!response.destroyed && response.write(part)) sent += part.length;
      };
      response.writeHead(200).on('drain', more);
      more();
    };
    const { get } = await source([endless], { timeoutMs: 10_000 });
    expect(await failureOf(get())).toMatchObject({ kind: 'body', message: 'Exchange sent more than 32 MB' });
    expect(sent).toBeLessThan(64 << 20);
  });

  test('ends immediately when canceled, in flight and in the queue', async () => {
    const { get, world } = await source([saysNothing], { perMinute: 1, burst: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const calls = [failureOf(get(first.signal)), failureOf(get(second.signal))];
    await vi.waitFor(() => expect(world.requests).toHaveLength(1));
    first.abort();
    second.abort();
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(['cancelled', 'cancelled']);
    expect(world.requests).toHaveLength(1);
  });
});

test('an item missing from the source is not a source failure', async () => {
  const onFailure = vi.fn<() => void>();
  const { client, world } = await source([says(404)], { onFailure });
  for (let i = 0; i < 5; i += 1)
    expect(await failureOf(client.get('/coins/none', price, { allowNotFound: true }))).toMatchObject({
      kind: 'absent',
      message: 'Exchange returned 404 for /coins/none',
    });
  expect(world.requests).toHaveLength(5);
  expect(onFailure).not.toHaveBeenCalled();
});

describe('a host that rejects a country', () => {
  test.each([
    ['451', says(451, { code: 0 }), {}, 'refused_region'],
    ['403 of such a host', says(403, '<html>'), { blocksRegions: true }, 'refused_region'],
    ['403 for too many calls', says(403, 'access too frequent'), { blocksRegions: true }, 'rate_limited'],
    ['403 of any other host', says(403, '<html>'), {}, 'status'],
  ])('%s', async (_what, answer, options, kind) => {
    const { get } = await source([answer], options);
    expect(await failureOf(get())).toMatchObject({ kind });
  });

  test('pauses for an hour', async () => {
    const { get, world } = await source([says(451)]);
    expect((await failureOf(get())).message).toBe('Exchange blocks this region (451)');
    const next = await failureOf(get());
    expect([next.kind, Math.round((next.retryAfterMs ?? 0) / 60_000)]).toEqual(['resting', 60]);
    expect(world.requests).toHaveLength(1);
  });
});

describe('a retried call', () => {
  const OK = says(200, { price: 1 });

  test.each([
    ['a server error', says(500)],
    ['a cut connection', hangsUp],
    ['a broken body', says(200, '{')],
  ])('retries after %s, with a pause', async (_what, fault) => {
    const { get, world } = await source([fault, OK], { retries: 2 });
    expect((await get()).data).toEqual({ price: 1 });
    expect((world.requests[1]?.atMs ?? 0) - (world.requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(95);
  });

  test.each([
    ['429', says(429)],
    ['403 whose words hold a 5xx number', says(403, { error: 'at most 500 calls' })],
    ['404', says(404)],
  ])('does not retry after %s', async (_what, fault) => {
    const refusal = (body: unknown) => (body as { error?: string }).error ?? null;
    const { get, world } = await source([fault, OK], { retries: 2, parseError: refusal });
    await failureOf(get());
    expect(world.requests).toHaveLength(1);
  });

  test('retries as often as configured and waits longer each time, with jitter', async () => {
    const { get, world } = await source([says(500)], { retries: 2 });
    await failureOf(get());
    const [a = 0, b = 0, c = 0] = world.requests.map(({ atMs }) => atMs);
    expect(world.requests).toHaveLength(3);
    expect(b - a).toBeGreaterThanOrEqual(95);
    expect(c - b).toBeGreaterThanOrEqual(195);
  });

  test('keeps to its share of calls: the burst immediately, then one per interval', async () => {
    const { get, world } = await source([OK], { perMinute: 120, burst: 2 });
    const began = performance.now();
    await Promise.all([get(), get(), get(), get()]);
    const times = world.requests.map(({ atMs }) => atMs - began);
    expect(times).toHaveLength(4);
    expect(times[1]).toBeLessThan(450);
    expect(times[2]).toBeGreaterThanOrEqual(495);
    expect(times[3]).toBeGreaterThanOrEqual(990);
  });
});

describe('a paid request', () => {
  const OK = says(200, { price: 1 });
  const costly = { isBillable: true };

  test.each([
    ['a server error', says(503), 2],
    ['a cut connection', hangsUp, 2],
    ['a broken body', says(200, '{'), 1],
    ['another shape', says(200, { price: null }), 1],
    ['429', says(429), 1],
  ])('after %s: %#', async (_what, fault, requests) => {
    const { client, world } = await source([fault, OK], { retries: 1 });
    const asked = client.post('/price', { of: 'btc' }, price, costly);
    if (requests === 2) expect((await asked).data).toEqual({ price: 1 });
    else await failureOf(asked);
    expect(world.requests).toHaveLength(requests);
  });

  test('is not repeated when the answer is late: it may have been produced and paid', async () => {
    const { client, world } = await source([saysNothing, OK], { retries: 1, timeoutMs: 120 });
    expect((await failureOf(client.post('/price', {}, price, costly))).kind).toBe('timeout');
    expect(world.requests).toHaveLength(1);
  });

  test('a rejection that counts as an answer reaches the schema, any other is a failure', async () => {
    const onFailure = vi.fn<() => void>();
    const { client } = await source([says(400, { price: 400, why: 'format' }), says(400, { why: 'key' })], {
      onFailure,
    });
    const isAnswer = (status: number, body: unknown) => status === 400 && (body as { why: string }).why === 'format';
    expect((await client.post('/price', {}, price, { isValidResponse: isAnswer })).data).toEqual({ price: 400 });
    expect(onFailure).not.toHaveBeenCalled();
    expect((await failureOf(client.post('/price', {}, price, { isValidResponse: isAnswer }))).kind).toBe('status');
    expect(onFailure).toHaveBeenCalledOnce();
  });
});

describe('a conditional call', () => {
  test('sends the validators of the last response and serves 304 from memory', async () => {
    const headers = { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 11:00:00 GMT' };
    const { get, world } = await source([says(200, { price: 5 }, headers), says(304, '')]);
    await get();
    expect((await get()).data).toEqual({ price: 5 });
    expect(world.requests[0]?.headers['if-none-match']).toBeUndefined();
    expect(world.requests[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': headers['last-modified'],
    });
  });

  test('discards an invalid response', async () => {
    const { get, world } = await source([says(200, { price: 'x' }, { etag: '"v1"' }), says(200, { price: 5 })]);
    await failureOf(get());
    expect((await get()).data).toEqual({ price: 5 });
    expect(world.requests[1]?.headers['if-none-match']).toBeUndefined();
  });
});

test('parameters of every call are added to those of the request', async () => {
  const { client, world: asked } = await source([says(200, { price: 1 })], { query: { api_key: 'k' } });
  await client.get('/price', price, { query: { of: 'btc' } });
  await client.get('/price', price);
  expect(asked.requests.map(({ url }) => url)).toEqual(['/price?of=btc&api_key=k', '/price?api_key=k']);
});

test('a source may have a lower size limit than the usual', async () => {
  const { get } = await source([says(200, { price: 1, more: 'x'.repeat(2000) })], { maxBytes: 1000 });
  expect((await failureOf(get())).kind).toBe('body');
});
