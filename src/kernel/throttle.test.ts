import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createThrottle } from './throttle.ts';

const MS = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

describe('createThrottle', () => {
  const step = fc.record({
    gap: fc.integer({ min: 0, max: 2500 }),
    call: fc.constantFrom('poke' as const, 'poke' as const, 'flush' as const),
  });
  const works = fc.array(fc.record({ takes: fc.integer({ min: 0, max: 3000 }), fails: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  });

  test('for any trigger times and work durations: no overlap, no early run, no lost call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), works, async (steps, works) => {
        const runs: { from: number; to: number }[] = [];
        let failures = 0;
        let errors = 0;
        const work = async () => {
          const run = { from: performance.now(), to: Number.POSITIVE_INFINITY };
          const { takes, fails } = works[runs.length % works.length] ?? { takes: 0, fails: false };
          runs.push(run);
          await later(takes);
          run.to = performance.now();
          if (!fails) return;
          failures += 1;
          throw new Error('work failed');
        };
        const throttle = createThrottle(MS, work, () => (errors += 1));
        const calls: number[] = [];
        let flushed = 0;
        let flushes = 0;
        for (const { gap, call } of steps) {
          await vi.advanceTimersByTimeAsync(gap);
          const at = performance.now();
          calls.push(at);
          if (call === 'poke') throttle.trigger();
          else {
            flushes += 1;
            void throttle.flush().then(() => {
              expect(runs.some(({ from, to }) => from >= at && to <= performance.now())).toBe(true);
              flushed += 1;
            });
          }
        }
        await vi.advanceTimersByTimeAsync(100_000);
        throttle.stop();

        for (const at of calls) expect(runs.some(({ from }) => from >= at)).toBe(true);
        expect(runs.every(({ to }, i) => to <= (runs[i + 1]?.from ?? to))).toBe(true);
        if (flushes === 0)
          for (const [i, { from }] of runs.slice(1).entries())
            expect(from - (runs[i]?.from ?? 0)).toBeGreaterThanOrEqual(MS - 1);
        expect(runs.length).toBeLessThanOrEqual(calls.length);
        expect([flushed, errors]).toEqual([flushes, failures]);
      }),
      { numRuns: 150 },
    );
  });

  test('after stop nothing runs on its own', async () => {
    let runs = 0;
    const throttle = createThrottle(MS, async () => void (runs += 1), vi.fn());
    throttle.trigger();
    throttle.stop();
    throttle.trigger();
    await vi.advanceTimersByTimeAsync(10 * MS);
    expect(runs).toBe(0);
  });

  test('keeps no process alive', async () => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const throttle = createThrottle(60_000, () => Promise.resolve(), vi.fn());
    await throttle.flush();
    throttle.trigger();
    const made = timers.mock.results.map(({ value }) => value as NodeJS.Timeout);
    timers.mockRestore();
    expect(made.map((timer) => timer.hasRef())).toEqual([false]);
    throttle.stop();
  });
});

test('a flush runs pending work without delay, and nothing when none is pending', async () => {
  let runs = 0;
  const throttle = createThrottle(
    60_000,
    async () => {
      runs += 1;
    },
    () => undefined,
  );
  await throttle.flush();
  await throttle.settle();
  expect(runs).toBe(1);
  throttle.trigger();
  await throttle.settle();
  await throttle.settle();
  expect(runs).toBe(2);
  throttle.stop();
});
