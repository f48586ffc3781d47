import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

import { CallError, call, callTagged } from './client.ts';

const getThing = endpoint({
  method: 'GET',
  path: '/api/things/:id',
  access: 'public',
  params: z.object({ id: z.string() }),
  query: z.object({ range: z.string() }),
  reply: z.object({ name: z.string() }),
});
const saveThing = endpoint({
  method: 'POST',
  path: '/api/things',
  access: 'free',
  body: z.object({ name: z.string() }),
  reply: z.object({ name: z.string() }),
});

function answer(response: Response | Error) {
  const fetch = vi.fn((_url: string, _init: RequestInit) =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const get = () => call(getThing, { params: { id: 'a/b' }, query: { range: '7d' } });

describe('call', () => {
  test('fills the path, appends the query and returns the response', async () => {
    const fetch = answer(Response.json({ name: 'x' }));
    expect(await get()).toEqual({ name: 'x' });
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/things/a%2Fb?range=7d');
  });

  test.each([
    [{}, undefined],
    [{ token: 'old' }, 'Bearer old'],
    [{ token: 'old', authToken: 'new' }, 'Bearer new'],
  ])('with %o in storage the authorization header is %s', async (stored, header) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    const fetch = answer(Response.json({ name: 'x' }));
    await get();
    expect((fetch.mock.calls[0]![1].headers as Record<string, string>)['authorization']).toBe(header);
  });

  test.each([
    [
      "the server's own words",
      Response.json({ error: 'Upgrade required', code: 'upgrade_required' }, { status: 403 }),
      'Upgrade required',
      'upgrade_required',
      403,
    ],
    ['an empty error field', Response.json({ error: '' }, { status: 500 }), 'The server returned 500', 'internal', 500],
    ['no JSON', new Response('<h1>Bad</h1>', { status: 502 }), 'The server returned 502', 'internal', 502],
    ['another error type', Response.json({ error: {} }, { status: 400 }), 'The server returned 400', 'internal', 400],
    ['JSON cut short under 200', new Response('{"name":'), 'The server’s response could not be read', 'internal', 200],
    ['no network', new TypeError('fetch failed'), 'The server is unreachable', 'network', 0],
  ])('%s', async (_what, response, message, code, status) => {
    answer(response);
    const error = await get().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ message, code, status });
  });

  test('does not report an aborted call as a network failure', async () => {
    const reason = new DOMException('gone', 'AbortError');
    answer(reason);
    await expect(call(getThing, { params: { id: 'a' }, query: { range: '7d' } }, AbortSignal.abort())).rejects.toBe(
      reason,
    );
  });
});

describe('callTagged', () => {
  const saved = () => Response.json({ name: 'a' }, { headers: { etag: '"2"' } });

  test('returns the tag of the response, and sends a given one', async () => {
    const fetch = answer(saved());
    const body = { name: 'a' };
    expect(await callTagged(saveThing, { body }, undefined, '"1"')).toEqual({ reply: { name: 'a' }, tag: '"2"' });
    expect(new Headers(fetch.mock.calls[0]?.[1].headers).get('if-match')).toBe('"1"');
  });

  test('sends no tag header without a tag', async () => {
    const fetch = answer(saved());
    await callTagged(saveThing, { body: { name: 'a' } });
    expect(new Headers(fetch.mock.calls[0]?.[1].headers).has('if-match')).toBe(false);
  });
});
