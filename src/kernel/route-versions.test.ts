import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { type Started, start } from '#tests/support/start.ts';

import { checkMatch, route, Versioned } from './route.ts';

const saveShelf = endpoint({
  method: 'PUT',
  path: '/api/test/shelf',
  access: 'public',
  body: z.object({ books: z.array(z.object({ title: z.string().check(z.minLength(1, 'Name the book')) })) }),
  reply: z.object({ version: z.int() }),
});

let s: Started;
let version = 7;
beforeAll(async () => {
  s = await start();
  route(
    s.product.app,
    saveShelf,
    ({ ifMatch }) => {
      checkMatch(ifMatch, version, 'Somebody has moved the books');
      return new Versioned(version, { version, secret: 1 });
    },
    { bodyLimit: 400_000 },
  );
});
afterAll(() => s.stop());

const save = (headers: Record<string, string>, books: object[] = []) =>
  s.product.app.inject({ method: 'PUT', url: '/api/test/shelf', headers, payload: { books } });

test('an answer that is a version has its ETag, and is parsed like any other', async () => {
  const res = await save({});
  expect([res.statusCode, res.headers['etag'], res.json()]).toEqual([200, '"7"', { version: 7 }]);
});

test.each(['"7"', 'W/"7"', '"6", "7"', '*'])('200: If-Match %s', async (header) => {
  expect((await save({ 'if-match': header })).statusCode).toBe(200);
});

test.each(['"6"', '7', '"77"', '""'])('412: If-Match %s', async (header) => {
  version = 7;
  const res = await save({ 'if-match': header });
  expect([res.statusCode, res.json()]).toEqual([
    412,
    { error: 'Somebody has moved the books', code: 'precondition_failed' },
  ]);
});

test('400: a sentence about something in a list says which one', async () => {
  const res = await save({}, [{ title: 'A' }, { title: '' }]);
  expect([res.statusCode, res.json()]).toEqual([400, { error: 'Number 2: Name the book', code: 'bad_request' }]);
});

test('a call may take larger bodies than the others, and says so beyond them', async () => {
  const books = (bytes: number) => [{ title: 'x'.repeat(bytes) }];
  expect((await save({}, books(300_000))).statusCode).toBe(200);
  expect((await save({}, books(400_000))).statusCode).toBe(413);
});
