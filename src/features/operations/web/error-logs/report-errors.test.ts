import { beforeEach, expect, test, vi } from 'vitest';

import { reportClientError } from '#features/operations/contract/error-logs.ts';
import { reportErrors } from './report-errors.ts';

const TOKEN = 'a9F3kQ7zL1mX8vB2nC5dR6tY0uE4wS';
let fetch: ReturnType<typeof vi.fn>;
beforeEach(() => {
  fetch = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetch);
});
const errorEvent = (error: unknown, more: ErrorEventInit = {}) => new ErrorEvent('error', { error, ...more });
const rejection = (reason: unknown) => Object.assign(new Event('unhandledrejection'), { reason });
const sent = () =>
  fetch.mock.calls.map(([, init]) => JSON.parse((init as RequestInit).body as string) as Record<string, string>);
const messages = () => sent().map(({ message }) => message);
/** As recorded by the page's first script. */
function listening(...early: Event[]) {
  const caught = [...early];
  reportErrors(caught);
  return (...events: Event[]) => {
    for (const event of events) caught.push(event);
    return caught;
  };
}

test('an uncaught error, an unhandled rejection and a part that failed to render', () => {
  history.replaceState(null, '', '/app/alerts?token=x');
  const meet = listening();
  const left = meet(
    errorEvent(new TypeError('x is not a function')),
    rejection(new RangeError('too far')),
    new CustomEvent('broken', { detail: new Error('no price') }),
  );
  expect(sent().map(({ kind, message, path }) => [kind, message, path])).toEqual([
    ['error', 'TypeError: x is not a function', '/app/alerts'],
    ['rejection', 'RangeError: too far', '/app/alerts'],
    ['render', 'Error: no price', '/app/alerts'],
  ]);
  for (const body of sent()) {
    expect(body['stack']).toContain('report-errors.test');
    expect(reportClientError.body.safeParse(body).success).toBe(true);
  }
  expect(left).toHaveLength(0);
});

test('errors from before the code loaded are reported too', () => {
  listening(errorEvent(new Error('early')));
  expect(messages()).toEqual(['Error: early']);
});

test('without token and cookies, even while the page is unloading', () => {
  localStorage.setItem('authToken', TOKEN);
  listening()(errorEvent(new Error('x')));
  const [path, init] = fetch.mock.calls[0] as [string, RequestInit];
  expect(path).toBe('/api/errors/client');
  expect(init).toMatchObject({ method: 'POST', credentials: 'omit', keepalive: true });
  expect(JSON.stringify(init)).not.toContain(TOKEN);
  localStorage.clear();
});

test('each message once, and at most five per page load', () => {
  const meet = listening();
  for (let n = 0; n < 20; n++) meet(errorEvent(new Error('again')));
  expect(messages()).toEqual(['Error: again']);
  for (let n = 0; n < 20; n++) meet(errorEvent(new Error(`Number ${n}`)));
  expect(messages().join(', ')).toBe(
    'Error: again, Error: Number 0, Error: Number 1, Error: Number 2, Error: Number 3',
  );
});

test('no query, token or email address leaves the page, and no text exceeds its limit', () => {
  const error = new Error(`https://m.example/x?token=${TOKEN} of ann@mail.example ${'y'.repeat(9000)}`);
  error.stack = `Error\n    at /reset-password?token=${TOKEN}\n${'z'.repeat(9000)}`;
  listening()(errorEvent(error));
  const [body] = sent();
  expect(JSON.stringify(body)).not.toMatch(/a9F3|ann@|\?/);
  expect(body?.['message']).toMatch(/^Error: https:\/\/m\.example\/x of \[address\] y+$/);
  expect(reportClientError.body.safeParse(body).success).toBe(true);
});

test.each([
  ['an extension, by its file', errorEvent(new Error('x'), { filename: 'chrome-extension://abc/content.js' })],
  ['an extension by stack', errorEvent(Object.assign(new Error('x'), { stack: 'at moz-extension://abc/a.js:1:2' }))],
  ['an extension of Safari', rejection(Object.assign(new Error('x'), { stack: 'f@safari-web-extension://abc/a.js' }))],
  ['a script of another site', errorEvent(new Error('x'), { filename: 'https://cdn.example/a.js' })],
  ['a script nobody may look into', errorEvent(null, { message: 'Script error.' })],
  ['a call that was given up', rejection(new DOMException('The user aborted a request.', 'AbortError'))],
  [
    'a second measure',
    errorEvent(undefined, { message: 'ResizeObserver loop completed with undelivered notifications.' }),
  ],
])('reports nothing for %s', (_what, event) => {
  listening()(event);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ['text', 'only words', 'only words'],
  ['nothing', undefined, 'undefined'],
  ['an object', { code: 7 }, '[object Object]'],
])('a promise may reject with %s', (_what, reason, words) => {
  listening()(rejection(reason));
  expect(messages()).toEqual([words]);
});

test('a failed report is not itself an error', async () => {
  const failures: unknown[] = [];
  const onFailure = (reason: unknown) => void failures.push(reason);
  process.on('unhandledRejection', onFailure);
  fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  const meet = listening();
  const evil = {
    toString() {
      throw new Error('not for you');
    },
  };
  expect(() => meet(errorEvent(new Error('x')), rejection(evil))).not.toThrow();
  fetch.mockImplementation(() => {
    throw new TypeError('no network at all');
  });
  expect(() => meet(errorEvent(new Error('y')))).not.toThrow();
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', onFailure);
  expect(failures).toEqual([]);
});
