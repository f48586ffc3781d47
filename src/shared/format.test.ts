import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { age, ago, clockTime, compact, dateTime, percent, price } from './format.ts';

const finite = (max: number) => fc.double({ min: -max, max, noNaN: true });

describe('price: 1 or more shows 2 decimals, under 1 shows 6', () => {
  test.each([
    [97_412.5, '97,412.50'],
    [1, '1.00'],
    [1.005, '1.01'],
    [0.999999, '0.999999'],
    [0.000021, '0.000021'],
    [0, '0.000000'],
    [1_234_567.891, '1,234,567.89'],
  ])('%d is %s', (usd, text) => expect(price(usd)).toBe(text));

  test('decimals depend on magnitude, for every number', () => {
    fc.assert(
      fc.property(finite(1e9), (usd) => {
        const decimals = price(usd).split('.')[1]?.length;
        return decimals === (Math.abs(usd) >= 1 ? 2 : 6);
      }),
    );
  });

  test('parsing the text back is off by at most half a unit of its last digit', () => {
    fc.assert(
      fc.property(finite(1e9), (usd) => {
        const half = Math.abs(usd) >= 1 ? 0.005 : 0.000_000_5;
        return Math.abs(Number(price(usd).replaceAll(',', '')) - usd) <= half * 1.0001 + Math.abs(usd) * 1e-12;
      }),
    );
  });
});

describe('compact: K, M, B, T', () => {
  test.each([
    [999.994, '999.99'],
    [999.996, '1.00K'],
    [1000, '1.00K'],
    [999_994, '999.99K'],
    [999_996, '1.00M'],
    [1e6, '1.00M'],
    [148.6e9, '148.60B'],
    [999_999_999_999, '1.00T'],
    [3.42e12, '3.42T'],
    [1.5e16, '15000.00T'],
    [-2_500_000, '-2.50M'],
    [0, '0.00'],
  ])('%d is %s', (value, text) => expect(compact(value)).toBe(text));

  test('never four digits before the unit, below a thousand trillion', () => {
    fc.assert(fc.property(finite(9.99e14), (value) => Math.abs(Number.parseFloat(compact(value))) < 1000));
  });

  test('a larger number never reads as smaller', () => {
    const read = (text: string) =>
      Number.parseFloat(text) * ({ K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[text.at(-1) ?? ''] ?? 1);
    fc.assert(
      fc.property(finite(1e14), finite(1e14), (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        return read(compact(low)) <= read(compact(high)) + 1e-6;
      }),
    );
  });
});

describe('percent: sign with a true minus, none on zero', () => {
  test.each([
    [1.84, '+1.84%'],
    [-0.46, '\u22120.46%'],
    [0, '0.00%'],
    [0.004, '0.00%'],
    [-0.004, '0.00%'],
  ])('%d is %s', (value, text) => expect(percent(value)).toBe(text));
});

describe('relative times', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  test.each([
    [-5, 'Just now'],
    [59_999, 'Just now'],
    [minute, '1m ago'],
    [hour - 1, '59m ago'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [day, '1d ago'],
    [40 * day, '40d ago'],
  ])('%d ms is %s', (ms, text) => expect(ago(ms)).toBe(text));

  test('age counts the seconds of the first minute, then matches ago', () => {
    expect(age(12_300)).toBe('12s ago');
    expect(age(-1)).toBe('0s ago');
    fc.assert(fc.property(fc.integer({ min: minute, max: 1e12 }), (ms) => age(ms) === ago(ms)));
  });
});

test('times are UTC, and labeled so', () => {
  const at = Date.parse('2026-01-05T04:03:02Z');
  expect(clockTime(at)).toBe('04:03 UTC');
  expect(dateTime(at)).toBe('5 Jan 2026, 04:03:02 UTC');
});
