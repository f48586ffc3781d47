import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { frame } from './fixtures.ts';
import { TickStore } from './tick-store.ts';

/** A manual clock; timers run when it passes them. */
function handClock() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after: (ms: number, run: () => void) => void timers.push({ at: now + ms, run }),
    forward: (ms: number) => {
      const end = now + ms;
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}

const tick = (id: string, price: number, at: number) => [id, price, 1, null, 0, at] as const;
const push = (store: TickStore, ...ticks: ReturnType<typeof tick>[]) =>
  store.push(frame(...ticks.map((t) => [...t] as never)));

describe('TickStore', () => {
  test('the first tick is painted immediately', () => {
    const store = new TickStore(handClock());
    push(store, tick('bitcoin', 100, 1));
    expect(store.get('bitcoin')).toEqual({ price: 100, change: 1, cap: null, source: 'binance', at: 1 });
  });

  test('only cells whose coin changed are notified, a board once with all of them', () => {
    const clock = handClock();
    const store = new TickStore(clock);
    const [bitcoin, ethereum, board] = [vi.fn(), vi.fn(), vi.fn()];
    store.subscribe('bitcoin', bitcoin);
    store.subscribe('ethereum', ethereum);
    store.subscribeAll(board);
    push(store, tick('bitcoin', 1, 1), tick('solana', 1, 1));
    expect(bitcoin).toHaveBeenCalledTimes(1);
    expect(ethereum).not.toHaveBeenCalled();
    expect(board).toHaveBeenCalledExactlyOnceWith(new Set(['bitcoin', 'solana']));
  });

  test('a removed listener is not called', () => {
    const store = new TickStore(handClock());
    const [cell, board] = [vi.fn(), vi.fn()];
    store.subscribe('bitcoin', cell)();
    store.subscribeAll(board)();
    push(store, tick('bitcoin', 1, 1));
    expect(cell).not.toHaveBeenCalled();
    expect(board).not.toHaveBeenCalled();
  });

  const run = fc.array(
    fc.record({ id: fc.constantFrom('bitcoin', 'ethereum', 'solana'), at: fc.nat(50), wait: fc.nat(300) }),
    { maxLength: 60 },
  );

  test('in any order of ticks, the displayed one never goes back in time and the newest wins', () => {
    fc.assert(
      fc.property(run, (steps) => {
        const clock = handClock();
        const store = new TickStore(clock);
        const shown = new Map<string, number>();
        store.subscribeAll((changed) => {
          for (const id of changed) {
            const at = store.get(id)?.at ?? -1;
            expect(at).toBeGreaterThan(shown.get(id) ?? -1);
            shown.set(id, at);
          }
        });
        const newest = new Map<string, number>();
        for (const [i, { id, at, wait }] of steps.entries()) {
          push(store, tick(id, i, at));
          newest.set(id, Math.max(newest.get(id) ?? -1, at));
          clock.forward(wait);
        }
        clock.forward(1000);
        expect(shown).toEqual(newest);
        expect(store.newest()?.at).toBe(steps.length ? Math.max(...newest.values()) : undefined);
      }),
    );
  });

  test('at most five paints in any second', () => {
    fc.assert(
      fc.property(run, (steps) => {
        const clock = handClock();
        const store = new TickStore(clock);
        const paints: number[] = [];
        store.subscribeAll(() => paints.push(clock.now()));
        for (const [i, { id, wait }] of steps.entries()) {
          push(store, tick(id, i, i));
          clock.forward(wait);
        }
        clock.forward(1000);
        for (const [i, at] of paints.entries())
          expect((paints[i + 5] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1000);
      }),
    );
  });
});
