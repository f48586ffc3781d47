import fc from 'fast-check';
import { expect, test } from 'vitest';

import { centsToUnits, unitsToCents, unitsToUsd, usdToUnits } from './money.ts';

const runs = { numRuns: 2000 };

test('micro-dollars are written with two to six decimals and parsed back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (units) => {
      expect(unitsToUsd(units)).toMatch(/^\d+\.\d{2,6}$/);
      expect(unitsToUsd(units)).not.toMatch(/\.\d\d\d*0$/.test(unitsToUsd(units)) ? /\.\d{2}\d*0$/ : /^$/);
      expect(usdToUnits(unitsToUsd(units))).toBe(units);
      expect(unitsToUsd(-units)).toBe(units === 0n ? '0.00' : `-${unitsToUsd(units)}`);
    }),
    runs,
  );
  expect([29_990_000n, 85_471_500n, 161_946_000n, 1n, 100_000n].map(unitsToUsd)).toEqual([
    '29.99',
    '85.4715',
    '161.946',
    '0.000001',
    '0.10',
  ]);
});

test('cents are whole, half up, and survive a round trip', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000), (cents) => {
      expect(unitsToCents(centsToUnits(cents))).toBe(cents);
    }),
    runs,
  );
  expect([85_471_500n, 85_475_000n, 85_474_999n].map(unitsToCents)).toEqual([8547, 8548, 8547]);
});

test.each(['', '1.', '.5', '-1', '1,5', '1.0000001', '1e3', ' 1', '1234567890123'])('no amount: "%s"', (text) => {
  expect(usdToUnits(text)).toBeUndefined();
});
