import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { atLeast, uptimeText } from './coverage.ts';

describe('atLeast never overstates', () => {
  test.each([
    [0, '0'],
    [7, '7'],
    [17, '15+'],
    [253, '250+'],
    [1234, '1,000+'],
  ])('%d is %s', (count, text) => expect(atLeast(count)).toBe(text));

  test('for every count', () => {
    fc.assert(fc.property(fc.nat(100_000), (count) => Number(atLeast(count).replaceAll(/[,+]/g, '')) <= count));
  });
});

const TARGET = 'uptime target; measured after one day';

describe('uptime is the measured figure with its window and target', () => {
  test.each([
    [null, 0, '99.9%', TARGET],
    [99.987, 30, '99.98%', 'uptime over the last 30 days, target 99.9%'],
    [100, 1, '100%', 'uptime over the last day, target 99.9%'],
    [100, 0.02, '99.9%', TARGET],
    [98, 0.5, '99.9%', TARGET],
    [99.999, 2.5, '99.99%', 'uptime over the last 2.5 days, target 99.9%'],
  ])('%s over %s days is %s', (percent, windowDays, figure, words) => {
    expect(uptimeText({ percent, windowDays, targetPercent: 99.9 })).toEqual({ figure, words });
  });
});
