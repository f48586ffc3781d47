import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createLag } from './replica.ts';

test('is the age of the newest moment with complete data', () => {
  const lag = createLag();
  expect(lag.of(0, 100)).toBeNull();
  lag.written(1000, 100);
  lag.written(2000, 200);
  lag.written(3000, 200);
  lag.written(4000, 300);
  expect(lag.of(4000, 99)).toBeNull();
  expect(lag.of(4000, 100)).toBe(3000);
  expect(lag.of(5000, 250)).toBe(2000);
  expect(lag.of(5000, 300)).toBe(1000);
});

test('never understates the lag, however rarely it is measured', () => {
  const step = fc.record({
    ms: fc.integer({ min: 1, max: 5000 }),
    bytes: fc.nat({ max: 100 }),
    replayed: fc.nat({ max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const lag = createLag();
      const history: { at: number; position: number }[] = [];
      let [at, position, replayed] = [0, 0, 0];
      for (const { ms, bytes, replayed: more } of steps) {
        at += ms;
        position += bytes;
        if (bytes > 0) history.push({ at, position });
        lag.written(at, position);
        replayed = Math.min(position, replayed + more);
        const missing = history.find((each) => each.position > replayed);
        const said = lag.of(at, replayed);
        if (said !== null && missing) expect(said).toBeGreaterThanOrEqual(at - missing.at);
        if (said !== null && !missing) expect(said).toBe(0);
      }
    }),
  );
});
