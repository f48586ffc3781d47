import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

import { handleErrors } from './error-handler.ts';
import { AppError } from './errors.ts';
import { compressTexts, createReadModel, type ReadModel } from './read-model.ts';
import { serve } from './serve.ts';
import { createThrottle } from './throttle.ts';

const reply = z.object({ rows: z.array(z.object({ name: z.string(), price: z.number() })) });
type Value = z.infer<typeof reply>;
const rows = (price: number): Value => ({
  rows: Array.from({ length: 300 }, (_, i) => ({ name: `Münze ${i}`, price })),
});

const PAGE = '<p>Grüße</p>'.repeat(200);

let app: FastifyInstance;
let url: string;
let refused: unknown[];
let model: ReadModel<Value>;

beforeEach(async () => {
  refused = [];
  model = createReadModel<Value>({
    schema: reply,
    onInvalid: (error) => refused.push(error),
  });
  app = Fastify();
  app.decorateRequest('caller', null);
  handleErrors(app, () => undefined);
  compressTexts(app);
  app.get('/page', (_, answer) => answer.type('text/html').send(PAGE));
  app.get('/note', (_, answer) => answer.send('short'));
  app.get('/packed', (_, answer) => answer.header('content-encoding', 'own').send(PAGE));
  serve(app, endpoint({ method: 'GET', path: '/api/rows', access: 'public', reply }), model);
  serve(app, endpoint({ method: 'GET', path: '/api/members', access: 'free', reply }), model);
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(() => app.close());

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };

/** The raw response: nothing is decompressed on the way. */
async function ask(path = '/api/rows', headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url + path, { method, headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}
const priceOf = ({ body }: Answer) => (JSON.parse(body.toString()) as Value).rows[0]?.price;

test('a text created for one request is compressed unless it is short or already compressed', async () => {
  const [page, note, packed, plain] = await Promise.all([
    ask('/page', { 'accept-encoding': 'gzip, br' }),
    ask('/note', { 'accept-encoding': 'br' }),
    ask('/packed', { 'accept-encoding': 'br' }),
    ask('/page'),
  ]);
  expect(page.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotliDecompressSync(page.body).toString()).toBe(PAGE);
  expect([note.headers['content-encoding'], note.body.toString()]).toEqual([undefined, 'short']);
  expect([packed.headers['content-encoding'], packed.body.toString()]).toEqual(['own', PAGE]);
  expect([plain.headers['content-encoding'], plain.headers['vary'], plain.body.toString()]).toEqual([
    undefined,
    'accept-encoding',
    PAGE,
  ]);
});

describe('a prepared read', () => {
  test.each([
    [undefined, undefined],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0 , gzip;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['brotli, xgzip', undefined],
  ])('accept-encoding %o is answered with %o, and the content is the same', async (accepted, encoding) => {
    await model.publish(rows(1));
    const answer = await ask('/api/rows', accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.body.length),
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
    });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
    expect(JSON.parse((unpack?.(answer.body) ?? answer.body).toString())).toEqual(rows(1));
  });

  test('HEAD returns the headers of GET, without the body', async () => {
    await model.publish(rows(1));
    const [head, get] = [
      await ask('/api/rows', { 'accept-encoding': 'br' }, 'HEAD'),
      await ask('/api/rows', { 'accept-encoding': 'br' }),
    ];
    expect(head.body).toHaveLength(0);
    expect([head.status, head.headers['content-length'], head.headers['etag']]).toEqual([
      200,
      String(get.body.length),
      get.headers['etag'],
    ]);
  });

  test('the same buffer is returned for any query string', async () => {
    await model.publish(rows(1));
    const { headers } = await ask();
    for (const query of ['?_=1795180000000', '?a=1&a=2', '?rows[]=x', '?%'])
      expect((await ask(`/api/rows${query}`)).headers['etag']).toBe(headers['etag']);
  });

  test('before the first value it reports so; a members-only call requires an account first', async () => {
    const early = await ask();
    expect([early.status, JSON.parse(early.body.toString())]).toEqual([
      503,
      { error: expect.stringContaining('being collected'), code: 'unavailable' },
    ]);
    await model.publish(rows(1));
    expect((await ask('/api/members')).status).toBe(401);
  });
});

describe('a reader with a copy', () => {
  test.each([
    ['the tag', (etag: string) => etag, 304],
    ['a weak tag, as proxies make it', (etag: string) => `W/${etag}`, 304],
    ['a list of tags', (etag: string) => `"other", W/${etag}`, 304],
    ['a star', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a part of the tag', (etag: string) => etag.slice(0, 8), 200],
  ])('%s', async (_what, header, status) => {
    await model.publish(rows(1));
    const etag = String((await ask()).headers['etag']);
    const again = await ask('/api/rows', { 'if-none-match': header(etag), 'accept-encoding': 'gzip' });
    expect(again.status).toBe(status);
    expect(again.headers).toMatchObject({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    if (status === 304) expect(again.body).toHaveLength(0);
  });

  test('gets the new one after a change, and the same ETag for the same content', async () => {
    await model.publish(rows(1));
    const etag = String((await ask()).headers['etag']);
    await model.publish(rows(2));
    expect(priceOf(await ask('/api/rows', { 'if-none-match': etag }))).toBe(2);
    await model.publish(rows(1));
    expect((await ask('/api/rows', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('an unservable value', () => {
  test('retains the last good buffer and is reported; the next good one serves', async () => {
    await model.publish(rows(1));
    await ask();
    await model.publish({ rows: [{ name: 'x', price: Number.NaN }] });
    await model.publish({ rows: 'none' } as unknown as Value);
    expect(priceOf(await ask())).toBe(1);
    expect(refused).toHaveLength(2);
    await model.publish(rows(3));
    expect(priceOf(await ask())).toBe(3);
  });

  test('a builder that throws retains the last good buffer and is reported', async () => {
    const errors: unknown[] = [];
    let price = 1;
    const build = async () => {
      if (price === 2) throw new Error('the database is away');
      await model.publish(rows(price));
    };
    const throttle = createThrottle(1, build, (error) => errors.push(error));
    for (price = 1; price <= 2; price++) await throttle.flush();
    expect([priceOf(await ask()), errors.length]).toEqual([1, 1]);
    price = 3;
    await throttle.flush();
    expect(priceOf(await ask())).toBe(3);
  });
});

describe('values without readers', () => {
  test('are not prepared; the next reader gets the newest', async () => {
    await model.publish(rows(1));
    await ask();
    let made = 0;
    for (let price = 2; price < 40; price += 1)
      await model.publish(() => {
        made += 1;
        return rows(price);
      });
    expect(made).toBe(12);
    expect(priceOf(await ask())).toBe(39);
    expect(made).toBe(13);
    await model.publish(rows(40));
    expect(priceOf(await ask())).toBe(40);
  });

  test('a failed first value returns its error, and is retried', async () => {
    let isReady = false;
    await model.publish(() => {
      if (!isReady) throw new AppError('unavailable', 'No candles yet');
      return rows(1);
    });
    expect(JSON.parse((await ask()).body.toString())).toEqual({ error: 'No candles yet', code: 'unavailable' });
    isReady = true;
    expect(priceOf(await ask())).toBe(1);
  });
});

describe('many changes', () => {
  beforeEach(() => ask());

  test('the newest value is served, however long the others take to compress', async () => {
    const huge = { rows: Array.from({ length: 60_000 }, (_, i) => ({ name: `Coin ${i * 7919}`, price: i })) };
    await Promise.all([model.publish(huge), model.publish(rows(5))]);
    expect(priceOf(await ask())).toBe(5);
  });

  test('a rejected one does not prevent an older one from being served', async () => {
    await Promise.all([model.publish(rows(6)), model.publish({ rows: 'none' } as unknown as Value)]);
    expect(priceOf(await ask())).toBe(6);
    expect(refused).toHaveLength(1);
  });
});
