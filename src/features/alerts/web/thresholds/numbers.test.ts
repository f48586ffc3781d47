import { describe, expect, test } from 'vitest';
import { minutesWords } from './advanced.tsx';
import { computeDomain, createPlot, valueRange } from './level-slider.tsx';
import { measured, measureText, niceStep, readNumber, toStep, writeNumber } from './numbers.ts';

test.each([
  ['105000', 105_000],
  ['105,000', 105_000],
  ['1,234,567.5', 1_234_567.5],
  ['1,5', Number.NaN],
  ['1,50', Number.NaN],
  ['1,0000', Number.NaN],
  ['1234,567', Number.NaN],
  ['1,234,5', Number.NaN],
  ['$1.5M', 1_500_000],
  ['200 b', 200e9],
  ['200b', 200e9],
  ['−2', -2],
  ['-0.5', -0.5],
  ['.25', 0.25],
  ['', Number.NaN],
  ['1e400', Number.NaN],
  ['Infinity', Number.NaN],
  ['12 monkeys', Number.NaN],
])('%o is read as %d', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test('a number survives formatting and parsing', () => {
  for (const value of [0, 0.000_012_5, 97_412.5, -4321, 2e11]) expect(readNumber(writeNumber(value))).toBe(value);
});

test('values carry their unit, sentences have no trailing zeros', () => {
  expect(measured(-1234, { unit: 'BTC', decimals: 0, signed: true })).toBe('−1,234 BTC');
  expect(measured(2.4e11, { unit: 'USD', decimals: 0, signed: false })).toBe('$240.00B');
  expect(measureText(105_000, { unit: 'USD', decimals: 2, signed: false })).toBe('$105,000');
  expect(measureText(2.5, { unit: 'σ', decimals: 2, signed: false })).toBe('2.5 σ');
  expect(measureText(60, { unit: '%', decimals: 2, signed: false })).toBe('60%');
  expect(measured(1, { unit: 'direction', decimals: 0, signed: false })).toBe('BULLISH');
});

test('steps are 1, 2 or 5 of a power of ten', () => {
  expect([0.03, 7, 260, 0].map(niceStep)).toEqual([0.02, 5, 200, 1]);
  expect(toStep(0.37, 0.1)).toBe(0.4);
});

describe('the chart', () => {
  const price = { unit: 'USD', signed: false } as const;
  const points = [
    [0, 100],
    [10, 200],
  ] as const;

  test('shows the level while it is near, and stays readable when it is far', () => {
    expect(computeDomain(points, 250, price).high).toBeGreaterThan(250);
    expect(computeDomain(points, 1_000_000, price).high).toBeLessThan(250);
    expect(
      computeDomain(
        [
          [0, 1],
          [1, 2],
        ],
        null,
        price,
      ).low,
    ).toBeGreaterThanOrEqual(0);
  });

  test('a level can be moved equally far from any position', () => {
    expect(valueRange(points, price)).toEqual({ low: 40, high: 260 });
  });

  test('pixels and values map both ways', () => {
    const plot = createPlot(points, computeDomain(points, 150, price), 300);
    for (const value of [100, 150, 200]) expect(plot.valueAt(plot.y(value))).toBeCloseTo(value);
  });
});

test.each([
  ['15', '15 minutes'],
  ['90', '1 hour 30 minutes'],
  ['1440', '1 day'],
  ['soon', ''],
])('%s minutes are %s', (text, words) => {
  expect(minutesWords(text)).toBe(words);
});
