import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { followVersions } from './versions.ts';

const start = (script: string) => `setTimeout(() => import("${script}"))`;
const page = (script: string) => `<html><head><script>${start(script)}</script></head></html>`;
const missing = () => dispatchEvent(new Event('vite:preloadError'));

const reload = vi.fn();
followVersions(reload);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.advanceTimersByTime(20_000);
  reload.mockClear();
  vi.spyOn(document, 'scripts', 'get').mockReturnValue([{ text: start('/assets/app-old.js') }] as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const served = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));
async function look(): Promise<void> {
  missing();
  await vi.advanceTimersByTimeAsync(20_000);
}

test('a part whose server is away, or that merely failed, does not read the page anew', async () => {
  served(() => Promise.reject(new TypeError('Failed to fetch')));
  await look();
  served(async () => new Response('The page is being prepared', { status: 503 }));
  await look();
  served(async () => new Response(page('/assets/app-old.js')));
  await look();
  expect(reload).not.toHaveBeenCalled();
});

test('a part of a version that is not served any more reads the page anew, once', async () => {
  served(async () => new Response(page('/assets/app-new.js')));
  missing();
  missing();
  await look();
  expect(reload).toHaveBeenCalledTimes(1);
});
