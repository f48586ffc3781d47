import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { parseRetryAfter } from './http-client.ts';
import { createTokenBucket } from './resilience.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('parseRetryAfter', () => {
  test('whatever a provider sends, the pause is between 5 s and an hour', () => {
    const header = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.constant(null),
    );
    fc.assert(
      fc.property(header, (text) => {
        const restMs = parseRetryAfter(text, NOW);
        expect(restMs).toBeGreaterThanOrEqual(5000);
        expect(restMs).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });

  test('seconds and the same moment as a date are equal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 3600 }), (seconds) => {
        const date = new Date(NOW.getTime() + seconds * 1000).toUTCString();
        expect(parseRetryAfter(String(seconds), NOW)).toBe(seconds * 1000);
        expect(parseRetryAfter(date, NOW)).toBe(seconds * 1000);
      }),
    );
  });
});

describe('the token bucket', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('never admits more than the burst and the refill, and makes no caller wait longer', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 30, max: 600 }),
        fc.integer({ min: 1, max: 5 }),
        arrivals,
        async (perMinute, burst, gaps) => {
          const bucket = createTokenBucket(perMinute, burst);
          const begin = performance.now();
          const passed: number[] = [];
          for (const gap of gaps) {
            await vi.advanceTimersByTimeAsync(gap);
            void bucket.take().then(() => passed.push(performance.now() - begin));
          }
          await vi.advanceTimersByTimeAsync((gaps.length * 60_000) / perMinute + 1);
          expect(passed).toHaveLength(gaps.length);
          for (const [i, from] of passed.entries()) {
            for (const [j, to] of passed.slice(i).entries()) {
              expect(j + 1).toBeLessThanOrEqual(burst + ((to - from) * perMinute) / 60_000 + 1.001);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
