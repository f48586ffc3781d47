import { expect, test } from 'vitest';

import { areNested, intervalScore, inUsd, type Ranges, scoreRanges, trailingRangesOf } from './ranges.ts';

const within = (near: number, far: number): Ranges => ({
  80: { low: -near, high: near },
  95: { low: -far, high: far },
});

test('the interval score is the width plus ten times the miss of an 80% range, forty times that of a 95% range', () => {
  const range = { low: -1, high: 1 };
  expect(intervalScore(range, 0.5, '80')).toBe(2);
  expect(intervalScore(range, 1.5, '80')).toBeCloseTo(2 + 10 * 0.5, 9);
  expect(intervalScore(range, -3, '95')).toBeCloseTo(2 + 40 * 2, 9);
});

test('coverage counts every graded call with a range; scores only those with a baseline', () => {
  const scored = scoreRanges([
    { r: 0.05, ranges: within(0.1, 0.2), trailingRanges: within(0.2, 0.4) },
    { r: -0.15, ranges: within(0.1, 0.2), trailingRanges: null },
    { r: 0.3, ranges: within(0.1, 0.2), trailingRanges: within(0.2, 0.4) },
    { r: null, ranges: within(0.1, 0.2), trailingRanges: null },
    { r: 0.05, ranges: null, trailingRanges: null },
  ]);
  expect(scored?.n).toBe(3);
  expect(scored?.coverage[80]).toBeCloseTo(1 / 3, 9);
  expect(scored?.coverage[95]).toBeCloseTo(2 / 3, 9);
  expect(scored?.width[80]).toBeCloseTo(0.2, 9);
  expect(scored?.score?.[80]).toBeCloseTo((0.2 + 0.2 + 10 * 0.2) / 2, 9);
  expect(scored?.scoreTrailing?.[80]).toBeCloseTo((0.4 + 0.4 + 10 * 0.1) / 2, 9);
  expect(scoreRanges([{ r: 0.1, ranges: null, trailingRanges: null }])).toBeNull();
  expect(scoreRanges([{ r: 0.1, ranges: within(0.1, 0.2), trailingRanges: null }])).toMatchObject({
    n: 1,
    score: null,
  });
});

test('the trailing year uses only completed windows, at least sixty of them', () => {
  const closes = Array.from({ length: 101 }, (_, day) => ({ day, close: Math.exp(day % 2 === 0 ? 0 : 0.1) }));
  expect(trailingRangesOf(closes, '24h')).toEqual({
    80: { low: expect.closeTo(-0.1, 9), high: expect.closeTo(0.1, 9) },
    95: { low: expect.closeTo(-0.1, 9), high: expect.closeTo(0.1, 9) },
  });
  expect(trailingRangesOf(closes.slice(0, 60), '24h')).toBeNull();
  expect(trailingRangesOf(closes.slice(0, 61), '24h')).not.toBeNull();
  expect(trailingRangesOf(closes, '180d')).toBeNull();
});

test.each([
  ['nested', within(0.1, 0.2), true],
  ['both the same', within(0.1, 0.1), true],
  ['the 80% range reaches beyond', { ...within(0.1, 0.2), 80: { low: -0.3, high: 0.1 } }, false],
  ['upside down', { ...within(0.1, 0.2), 80: { low: 0.1, high: -0.1 } }, false],
  ['an end is no number', { ...within(0.1, 0.2), 95: { low: -0.2, high: Number.POSITIVE_INFINITY } }, false],
])('%s', (_, ranges, expected) => expect(areNested(ranges)).toBe(expected));

test('as prices: low and high around the issue price', () => {
  expect(inUsd({ low: Math.log(0.9), high: Math.log(1.1) }, 200)).toEqual({
    low: expect.closeTo(180, 9),
    high: expect.closeTo(220, 9),
  });
});
