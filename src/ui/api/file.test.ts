import { expect, test, vi } from 'vitest';

import { readWhole, requestFile, responseFileName } from './file.ts';

const PATH = '/api/exports/1/file';
const bytes = (text: string) => new TextEncoder().encode(text);

/** Sends `text`, then fails or ends. */
function bodyOf(text: string, breaks: boolean): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (!sent) controller.enqueue(bytes(text));
      else if (breaks) controller.error(new TypeError('network error'));
      else controller.close();
      sent = true;
    },
  });
}

function serve(...answers: (Response | Error)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => {
    const next = answers.shift();
    if (!next || next instanceof Error) throw next ?? new Error('Asked too often');
    return next;
  });
  vi.stubGlobal('fetch', fetch);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  return { fetch, ranges: () => fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('range')) };
}
async function read(onBytes?: (here: number, all: number | null) => void): Promise<string> {
  const reading = readWhole(null, PATH, onBytes ? { onBytes } : {}).then((file) => file.text());
  reading.catch(() => {
    // Checked below.
  });
  await vi.runAllTimersAsync();
  await vi.advanceTimersByTimeAsync(10_000);
  return reading;
}
const whole = { 'content-length': '6', etag: '"a"' };

test('resumes an interrupted download if the file is unchanged', async () => {
  const { fetch, ranges } = serve(
    new Response(bodyOf('abc', true), { headers: whole }),
    new Response(bodyOf('def', false), { status: 206, headers: { 'content-range': 'bytes 3-5/6', etag: '"a"' } }),
  );
  const told: unknown[] = [];
  expect(await read((here, all) => told.push([here, all]))).toBe('abcdef');
  expect(ranges()).toEqual([null, 'bytes=3-']);
  expect(new Headers(fetch.mock.calls[1]?.[1].headers).get('if-range')).toBe('"a"');
  expect(told).toEqual([
    [3, 6],
    [6, 6],
  ]);
});

test('accepts a full response when the server resends everything', async () => {
  serve(
    new Response(bodyOf('abc', true), { headers: whole }),
    new Response(bodyOf('ghijkl', false), { headers: whole }),
  );
  expect(await read()).toBe('ghijkl');
});

test('never returns a truncated file', async () => {
  const short = () => new Response(bodyOf('abc', false), { headers: whole });
  const { fetch } = serve(short(), short(), short(), short());
  await expect(read()).rejects.toThrow('The download was interrupted. Please try again.');
  expect(fetch).toHaveBeenCalledTimes(4);
});

test('does not retry what the server refuses', async () => {
  const refused = Response.json({ error: 'The file was removed', code: 'not_found' }, { status: 404 });
  const { fetch } = serve(refused);
  await expect(read()).rejects.toThrow('The file was removed');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('retries a server that is briefly unreachable', async () => {
  serve(new TypeError('Failed to fetch'), new Response(bodyOf('abcdef', false), { headers: whole }));
  expect(await read()).toBe('abcdef');
});

test.each([
  ['attachment; filename="a b.json"', 'a b.json'],
  ['attachment; filename=a.csv', 'a.csv'],
  [`attachment; filename="x.csv"; filename*=UTF-8''Z%C3%BCrich.csv`, 'Zürich.csv'],
  ['attachment', null],
])('%s names the file %s', (header, name) => {
  expect(responseFileName(new Response('', { headers: { 'content-disposition': header } }))).toBe(name);
});

test('a request with a body is a POST with the user’s token', async () => {
  localStorage.setItem('authToken', 'ann-token');
  const { fetch } = serve(new Response('x'));
  await requestFile('/api/x', { body: { a: 1 } });
  expect(fetch.mock.calls[0]?.[1]).toEqual({
    method: 'POST',
    headers: { authorization: 'Bearer ann-token', 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  localStorage.clear();
});
