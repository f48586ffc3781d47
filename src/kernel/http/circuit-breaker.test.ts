import type { RequestListener } from 'node:http';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { says, saysNothing, startWorld, type World } from './fixtures/world.ts';
import { createSourceClient } from './http-client.ts';
import { SourceError } from './source-error.ts';

const OK = says(200, {});
const BROKEN = says(500);
const NOW = new Date('2026-11-20T12:00:00Z');

let world: World;
let outcomes: string[];
let get: (signal?: AbortSignal) => Promise<string>;

/** Real HTTP; only the monotonic clock that measures the pauses is moved by hand. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  outcomes = [];
});
afterEach(() => {
  world.close();
  vi.useRealTimers();
});

async function source(...answers: RequestListener[]): Promise<void> {
  world = await startWorld(...answers);
  const client = createSourceClient(
    {
      name: 'Exchange',
      baseUrl: world.baseUrl,
      perMinute: 60_000,
      burst: 1000,
      retries: 0,
      parseError: (body) => ((body as { code?: number }).code === 429 ? 'rate_limited' : null),
      onSuccess: () => outcomes.push('ok'),
      onFailure: ({ kind }) => outcomes.push(kind),
    },
    () => NOW,
  );
  get = async (signal) => {
    try {
      await client.get('/', z.object({}), signal ? { signal } : {});
      return 'ok';
    } catch (error) {
      return error instanceof SourceError ? error.kind : String(error);
    }
  };
}

const restOf = async (headers: Record<string, string>): Promise<number> => {
  await source(says(429, {}, headers), OK);
  expect(await get()).toBe('rate_limited');
  for (let waited = 0; ; waited += 1000) {
    if ((await get()) !== 'resting') return waited;
    vi.advanceTimersByTime(1000);
  }
};

describe('the circuit breaker', () => {
  test('opens after three failures in a row: the source is left alone for 30 s', async () => {
    await source(BROKEN);
    expect([await get(), await get(), await get(), await get()]).toEqual(['status', 'status', 'status', 'resting']);
    vi.advanceTimersByTime(29_000);
    expect(await get()).toBe('resting');
    expect(world.requests).toHaveLength(3);
    expect(outcomes.slice(0, 3)).toEqual(['status', 'status', 'status']);
  });

  test('allows one trial call after the pause, and closes when that succeeds', async () => {
    await source(BROKEN, BROKEN, BROKEN, OK);
    for (let i = 0; i < 3; i++) await get();
    vi.advanceTimersByTime(30_000);
    expect(await Promise.all([get(), get(), get()])).toEqual(['ok', 'resting', 'resting']);
    expect(await get()).toBe('ok');
  });

  test('pauses twice as long when the trial fails', async () => {
    await source(BROKEN);
    for (let i = 0; i < 3; i++) await get();
    vi.advanceTimersByTime(30_000);
    expect(await get()).toBe('status');
    vi.advanceTimersByTime(59_000);
    expect(await get()).toBe('resting');
    vi.advanceTimersByTime(1000);
    expect(await get()).toBe('status');
  });

  test('counts only consecutive failures', async () => {
    await source(BROKEN, BROKEN, OK, BROKEN, BROKEN, OK);
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) seen.push(await get());
    expect(seen).toEqual(['status', 'status', 'ok', 'status', 'status', 'ok']);
  });

  test('a canceled trial has no effect: the next call tries', async () => {
    await source(BROKEN, BROKEN, BROKEN, saysNothing, OK);
    for (let i = 0; i < 3; i++) await get();
    vi.advanceTimersByTime(30_000);
    const cancel = new AbortController();
    const trial = get(cancel.signal);
    await vi.waitFor(() => expect(world.requests).toHaveLength(4));
    cancel.abort();
    expect(await trial).toBe('cancelled');
    expect(await get()).toBe('ok');
  });

  test('many concurrent failures open it once, not for longer', async () => {
    await source(BROKEN);
    await Promise.all(Array.from({ length: 8 }, () => get()));
    vi.advanceTimersByTime(30_000);
    expect(await get()).toBe('status');
  });
});

describe('a rate limit', () => {
  test.each([
    ['Retry-After in seconds', { 'retry-after': '42' }, 42],
    ['Retry-After as a date', { 'retry-after': 'Fri, 20 Nov 2026 12:00:20 GMT' }, 20],
    ['Retry-After 0, which is no rest at all', { 'retry-after': '0' }, 5],
    ['no Retry-After', {}, 60],
  ])('is respected immediately: %s', async (_what, headers, seconds) => {
    expect(await restOf(headers as Record<string, string>)).toBe(seconds * 1000);
    expect(world.requests).toHaveLength(2);
  });

  test('in a body under 200 counts as well', async () => {
    await source(says(200, { code: 429 }), OK);
    expect([await get(), await get()]).toEqual(['rate_limited', 'resting']);
    vi.advanceTimersByTime(60_000);
    expect(await get()).toBe('ok');
  });
});
