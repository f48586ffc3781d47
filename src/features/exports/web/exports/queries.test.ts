// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

import { itemOf, makingOf } from './fixtures.ts';
import { historyQuery } from './queries.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('while an export is created the list is polled every five seconds, also without a stream, and no longer', async () => {
  vi.useFakeTimers();
  let items = [makingOf()];
  const fetch = vi.fn(async () => Response.json(items));
  vi.stubGlobal('fetch', fetch);
  const leave = new QueryObserver(new QueryClient(), historyQuery('a token')).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(11_000);
  expect(fetch).toHaveBeenCalledTimes(3);
  items = [itemOf()];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch).toHaveBeenCalledTimes(4);
  leave();
});
