import { describe, expect, test } from 'vitest';

import { recordLine } from '#features/analysis/contract/brief.ts';

const CELL = {
  verdict: 'no evidence' as const,
  p_ahead: 0.41,
  brier: 0.6358,
  brier_climatology: 0.656,
  brier_persistence: 0.671,
  brier_uniform: 0.6667,
  dates: 1392,
};
const line = (change: Partial<Parameters<typeof recordLine>[0]>) => {
  const { word, rest } = recordLine({ ...CELL, ...change });
  return word + rest;
};

describe('a one-line track summary', () => {
  test.each([
    [{ verdict: 'ahead' as const }, 'ahead of base rates · Brier 0.636 vs 0.656 · 1,392 dates'],
    [{ verdict: 'behind' as const }, 'behind · Brier 0.636 vs 0.656 for base rates · 1,392 dates'],
    [{ dates: 1 }, 'no evidence · Brier 0.636 vs 0.656 for base rates · 1 date'],
    [{ p_ahead: null }, 'too early to tell · Brier 0.636 vs 0.656 for base rates · 1,392 dates'],
    [{ brier_uniform: 0.65 }, 'no evidence · Brier 0.636 vs 0.650 for uniform · 1,392 dates'],
    [
      { verdict: 'too few independent windows' as const },
      'too few independent windows · Brier 0.636 vs 0.656 for base rates · 1,392 dates',
    ],
    [{ brier: null }, 'no calls graded yet'],
  ])('%j: %s', (change, text) => {
    expect(line(change)).toBe(text);
  });

  test('with no cells: no calls graded yet', () => {
    expect(recordLine(undefined)).toEqual({ word: 'no calls graded yet', rest: '' });
  });
});
