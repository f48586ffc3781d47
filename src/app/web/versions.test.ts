import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ahead, followVersions } from './prefetch.ts';

const start = (script: string) => `setTimeout(() => import("${script}"))`;
const page = (script: string) => `<html><head><script>${start(script)}</script></head></html>`;
const missing = (payload?: Error) => dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));

const reload = vi.fn();
followVersions(reload);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.advanceTimersByTime(20_000);
  reload.mockClear();
  vi.spyOn(document, 'scripts', 'get').mockReturnValue([{ text: start('/assets/app-old.js') }] as never);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const served = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));
async function look(payload?: Error): Promise<void> {
  missing(payload);
  await vi.advanceTimersByTimeAsync(20_000);
}

test('a chunk whose server is unreachable, or that merely failed, does not reload the page', async () => {
  served(() => Promise.reject(new TypeError('Failed to fetch')));
  await look();
  served(async () => new Response('The page is being prepared', { status: 503 }));
  await look();
  served(async () => new Response(page('/assets/app-old.js')));
  await look();
  expect(reload).not.toHaveBeenCalled();
});

test('a cached module failure reloads the page once the server has the script, but not while the user is typing', async () => {
  const failed = new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1:9/assets/detail-1.js');
  served(async () => new Response(page('/assets/app-old.js')));
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  const fail = async () => {
    await look(failed);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(20_000);
  };
  await fail();
  expect(reload).not.toHaveBeenCalled();
  field.remove();
  await fail();
  await fail();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a missing prefetched chunk does not reload the page', async () => {
  served(async () => new Response(page('/assets/app-new.js')));
  await ahead(async () => {
    missing();
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).not.toHaveBeenCalled();
});

test('a chunk from a version no longer served reloads the page once', async () => {
  served(async () => new Response(page('/assets/app-new.js')));
  missing();
  missing();
  await look();
  expect(reload).toHaveBeenCalledTimes(1);
});
