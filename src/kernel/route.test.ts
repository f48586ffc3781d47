import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { apiError, endpoint } from '#shared/contract.ts';
import { fileProduct } from '#tests/support/for-file.ts';

import { AppError, INTERNAL_MESSAGE } from './errors.ts';
import { checkIfMatch, route, Versioned } from './route.ts';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const note = z.object({ text: z.string().check(z.minLength(1, 'Write something')), stars: z.int() });
const saveNote = endpoint({
  method: 'POST',
  path: '/api/test/notes/:id',
  access: 'public',
  params: z.object({ id: z.string().check(z.regex(/^\d+$/, 'Unknown note')) }),
  query: z.object({ tone: z._default(z.enum(['calm', 'loud']), 'calm') }),
  body: note,
  reply: z.object({ id: z.string(), tone: z.string(), text: z.string() }),
});
const failing = (path: `/api/${string}`) =>
  endpoint({ method: 'GET', path, access: 'public', reply: z.object({ n: z.number() }) });

const saveShelf = endpoint({
  method: 'PUT',
  path: '/api/test/shelf',
  access: 'public',
  body: z.object({ books: z.array(z.object({ title: z.string().check(z.minLength(1, 'Name the book')) })) }),
  reply: z.object({ version: z.int() }),
});

const s = fileProduct();
beforeAll(async () => {
  const { app } = s.product;
  route(app, saveNote, ({ params, query, body }) => ({ ...params, ...query, text: body.text, secret: 'hash' }));
  route(app, failing('/api/test/expected'), () => Promise.reject(new AppError('conflict', 'Somebody was faster')));
  route(app, failing('/api/test/bug'), () => Promise.reject(new Error('password=hunter2 in relation users')));
  route(app, failing('/api/test/odd'), () => Promise.reject('just a text'));
  route(app, failing('/api/test/nothing'), () => Promise.reject(undefined));
  route(app, failing('/api/test/broken-promise'), () => ({ n: 'seven' }) as unknown as { n: number });
  const save = ({ ifMatch }: { ifMatch: string | undefined }) => {
    checkIfMatch(ifMatch, 7, 'Somebody has moved the books');
    return new Versioned(7, { version: 7, secret: 1 });
  };
  route(app, saveShelf, save, { bodyLimit: 400_000 });
});

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  s.product.app.inject({
    method: 'POST',
    url,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });
const GOOD = { text: 'hello', stars: 3 };
const reports = async () =>
  (await s.product.market.ctx.db.selectFrom('error_logs').selectAll().orderBy('id').execute()).filter(
    ({ source }) => source === 'server',
  );

test('a call that fits its contract: 200: gets parsed input with defaults, and returns no field outside the contract', async () => {
  const res = await post('/api/test/notes/7', { ...GOOD, admin: true });
  expect([res.statusCode, res.json()]).toEqual([200, { id: '7', tone: 'calm', text: 'hello' }]);
  expect(res.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(UUID),
  });
});

describe('an invalid call', () => {
  test.each([
    ['a part of the path', '/api/test/notes/seven', GOOD, /^Unknown note$/],
    ['the query', '/api/test/notes/7?tone=shrill', GOOD, /^tone: /],
    ['a field of the body', '/api/test/notes/7', { ...GOOD, stars: 'three' }, /^stars: .*number/],
    ['a field with words of its own', '/api/test/notes/7', { ...GOOD, text: '' }, /^Write something$/],
    ['a missing body', '/api/test/notes/7', '', 'The request could not be parsed'],
    ['a body that is no object', '/api/test/notes/7', [1], /expected object/],
    ['half a JSON', '/api/test/notes/7', '{"text":', 'The request could not be parsed'],
    ['a poisoned prototype', '/api/test/notes/7', '{"__proto__":{"a":1}}', 'The request could not be parsed'],
    ['a part of the path that is far too long', `/api/test/notes/${'7'.repeat(500)}`, GOOD, 'could not be parsed'],
    ['an invalid escape', '/api/test/notes/%E0%A4%A', GOOD, 'The request could not be parsed'],
  ])('400: %s', async (_what, url, body, error) => {
    const res = await post(url, body);
    expect(res.statusCode).toBe(400);
    expect(res.json()).toEqual({ error: expect.stringMatching(error), code: 'bad_request' });
  });

  test('400: an unsupported content type', async () => {
    const res = await post('/api/test/notes/7', '<text>hello</text>', { 'content-type': 'application/xml' });
    expect(res.statusCode).toBe(400);
    expect(res.json()).toEqual({ error: 'The request could not be parsed', code: 'bad_request' });
  });

  test('413: a body over 256 KB', async () => {
    const res = await post('/api/test/notes/7', { ...GOOD, text: 'x'.repeat(256 * 1024) });
    expect(res.statusCode).toBe(413);
    expect(res.json()).toEqual({ error: 'The request is too large', code: 'payload_too_large' });
    expect((await post('/api/test/notes/7', { ...GOOD, text: 'x'.repeat(250_000) })).statusCode).toBe(200);
  });

  test.each([
    ['an unknown path', 'GET', '/api/test/nowhere'],
    ['a method the path does not have', 'DELETE', '/api/test/notes/7'],
  ] as const)('404: %s', async (_what, method, url) => {
    const res = await s.product.app.inject({ method, url });
    expect([res.statusCode, res.json()]).toEqual([404, { error: 'Unknown API endpoint', code: 'not_found' }]);
  });

  test('none of them is reported: they are client errors', async () => {
    expect(await reports()).toEqual([]);
  });
});

describe('a failing handler', () => {
  test('409: an expected failure keeps its message and is not reported', async () => {
    const res = await s.get('/api/test/expected');
    expect([res.statusCode, res.json()]).toEqual([409, { error: 'Somebody was faster', code: 'conflict' }]);
    expect(await reports()).toEqual([]);
  });

  test.each([
    ['a bug', '/api/test/bug', 'hunter2'],
    ['an answer that breaks its contract', '/api/test/broken-promise', 'expected number'],
    ['something thrown that is no error', '/api/test/odd', 'just a text'],
    ['nothing thrown', '/api/test/nothing', 'undefined'],
  ])('500: %s gives the caller a request id, and the operator the details', async (_what, path, details) => {
    const res = await s.get(path);
    expect(res.statusCode).toBe(500);
    const { error, code } = apiError.parse(res.json());
    const requestId = UUID.exec(error)?.[0] ?? '';
    expect([code, error]).toEqual(['internal', `${INTERNAL_MESSAGE} (${requestId})`]);
    expect(res.headers['x-request-id']).toBe(requestId);
    expect(res.body).not.toContain(details);
    const ofPath = async () => (await reports()).filter(({ message }) => message === `GET ${path} failed`);
    await expect.poll(ofPath).toHaveLength(1);
    const [report] = await ofPath();
    expect(report).toMatchObject({ type: 'system', details: expect.stringContaining(requestId) });
    expect(report?.details).toContain(details);
  });
});

describe('over a real connection', () => {
  const say = async (text: string): Promise<string> => {
    const { port } = (s.product.app.server.address() as { port: number } | null) ?? (await s.product.listen());
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (part) => (heard += part.toString()));
    socket.on('error', () => undefined);
    socket.end(text);
    await new Promise((resolve) => {
      socket.once('close', resolve);
    });
    return heard;
  };

  test.each([
    ['words that are no HTTP', 'HELLO\r\n\r\n', 400, 'bad_request'],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 413, 'payload_too_large'],
  ])('%s are answered in the same format', async (_what, text, status, code) => {
    const answer = await say(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(apiError.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).code).toBe(code);
  });
});

const shelve = (headers: Record<string, string>, books: object[] = []) =>
  s.product.app.inject({ method: 'PUT', url: '/api/test/shelf', headers, payload: { books } });

test('a versioned response has its ETag, and is parsed like any other', async () => {
  const res = await shelve({});
  expect([res.statusCode, res.headers['etag'], res.json()]).toEqual([200, '"7"', { version: 7 }]);
});

test.each(['"7"', 'W/"7"', '"6", "7"', '*'])('200: If-Match %s', async (header) => {
  expect((await shelve({ 'if-match': header })).statusCode).toBe(200);
});

test.each(['"6"', '7', '"77"', '""'])('412: If-Match %s', async (header) => {
  const res = await shelve({ 'if-match': header });
  expect([res.statusCode, res.json()]).toEqual([
    412,
    { error: 'Somebody has moved the books', code: 'precondition_failed' },
  ]);
});

test('400: an error in a list item names the item', async () => {
  const res = await shelve({}, [{ title: 'A' }, { title: '' }]);
  expect([res.statusCode, res.json()]).toEqual([400, { error: 'Number 2: Name the book', code: 'bad_request' }]);
});

test('a call may accept larger bodies than the others, and rejects larger ones', async () => {
  const books = (bytes: number) => [{ title: 'x'.repeat(bytes) }];
  expect((await shelve({}, books(300_000))).statusCode).toBe(200);
  expect((await shelve({}, books(400_000))).statusCode).toBe(413);
});
