import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  abnormalVolume,
  basketVolatility,
  capWeighted,
  classifyRisk,
  classifySentiment,
  computeBreadth,
  computeOpportunity,
  computeRelevance,
  normalCdf,
  rankNormalised,
  realisedVolatility,
  relativeSigma,
} from './formulas.ts';

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('worked examples', () => {
  test('cap-weighted change: 300 B at +4% and 100 B at −2% are +2.5%; a coin without cap or change is excluded', () => {
    const coins = [
      { value: 4, weight: 300e9 },
      { value: -2, weight: 100e9 },
      { value: 50, weight: null },
      { value: null, weight: 900e9 },
    ];
    expect(capWeighted(coins)).toBeCloseTo(2.5, 12);
    expect(capWeighted([{ value: 1, weight: null }])).toBeNull();
  });

  test('volatility: log returns alternating ±2% are 2.05% per day, 39.2% per year', () => {
    const returns = Array.from({ length: 20 }, (_, i) => (i % 2 ? 0.02 : -0.02));
    expect(realisedVolatility(returns)).toBeCloseTo(0.02 * Math.sqrt(20 / 19) * Math.sqrt(365), 12);
    expect(realisedVolatility(returns)).toBeCloseTo(0.392, 3);
    expect(realisedVolatility(returns.slice(0, 9))).toBeNull();
  });

  test('volatility of a basket: 60% and 100% at 3 to 1 are 70%; with less than half of the cap covered there is none', () => {
    expect(
      basketVolatility([
        { value: 0.6, weight: 3 },
        { value: 1, weight: 1 },
      ]),
    ).toBeCloseTo(0.7, 12);
    expect(
      basketVolatility([
        { value: 0.6, weight: 1 },
        { value: null, weight: 3 },
      ]),
    ).toBeNull();
  });

  test('relative σ: +3.2% against +0.4% at 53.5% per year (2.8% per day) is 1 σ', () => {
    expect(relativeSigma(3.2, 0.4, 0.028 * Math.sqrt(365))).toBeCloseTo(1, 12);
    expect(relativeSigma(3.2, null, 0.5)).toBeNull();
    expect(relativeSigma(3.2, 0.4, null)).toBeNull();
    expect(relativeSigma(3.2, 0.4, 0)).toBeNull();
  });

  test('abnormal volume: 16 against ten days alternating 8 and 12 is 2.85 σ; nine days give none', () => {
    const past = Array.from({ length: 10 }, (_, i) => (i % 2 ? 12 : 8));
    expect(abnormalVolume(16, past)).toBeCloseTo(6 / Math.sqrt(40 / 9), 12);
    expect(abnormalVolume(16, past)).toBeCloseTo(2.846, 3);
    expect(abnormalVolume(16, past.slice(1))).toBeNull();
    expect(
      abnormalVolume(
        16,
        past.map(() => 5),
      ),
    ).toBeNull();
  });

  test('breadth: 3 of 4 known coins up; unchanged is not up', () => {
    expect(computeBreadth([1, 2, 0.1, -4, null])).toBe(0.75);
    expect(computeBreadth([0, -1])).toBe(0);
    expect(computeBreadth([null])).toBeNull();
  });

  test('ranks: 10, 30, 20, 20 are 0, 1, ½, ½; unknown values have none', () => {
    expect(rankNormalised([10, 30, 20, 20])).toEqual([0, 1, 0.5, 0.5]);
    expect(rankNormalised([null, 7, 9])).toEqual([null, 0, 1]);
    expect(rankNormalised([4])).toEqual([0.5]);
  });

  test('relevance: the mean of the known ranks', () => {
    expect(computeRelevance([1, 0.4, 0.7])).toBeCloseTo(0.7, 12);
    expect(computeRelevance([1, null, 0.5])).toBe(0.75);
    expect(computeRelevance([null, null])).toBeNull();
  });

  test.each([
    [1.51, 'very_positive'],
    [1.5, 'positive'],
    [0.51, 'positive'],
    [0.5, 'neutral'],
    [-0.5, 'neutral'],
    [-0.51, 'negative'],
    [-1.5, 'negative'],
    [-1.51, 'very_negative'],
    [null, null],
  ])('sentiment: %s σ is %s', (sigma, word) => {
    expect(classifySentiment(sigma)).toBe(word);
  });

  test.each([
    [0, 'low'],
    [0.33, 'low'],
    [0.34, 'medium'],
    [0.66, 'medium'],
    [0.67, 'high'],
    [1, 'high'],
    [null, null],
  ])('risk: a volatility rank of %s is %s', (rank, level) => {
    expect(classifyRisk(rank)).toBe(level);
  });

  test.each([
    [0, 0.5],
    [1, 0.841345],
    [-1, 0.158655],
    [1.96, 0.975002],
    [-3, 0.00135],
  ])('Φ(%s) is %s', (z, value) => {
    expect(normalCdf(z)).toBeCloseTo(value, 6);
  });

  test('opportunity: 0.4·0.8 + 0.3·Φ(1) + 0.2·0.75 + 0.1·(1 − 0.5) is 77.2', () => {
    const terms = { relevance: 0.8, relativeSigma: 1, breadth: 0.75, volatilityRank: 0.5 };
    expect(computeOpportunity(terms)).toBeCloseTo(77.24, 2);
    for (const name of Object.keys(terms)) expect(computeOpportunity({ ...terms, [name]: null })).toBeNull();
  });
});

describe('properties', () => {
  test('a cap-weighted mean lies between the smallest and the largest value and ignores the unit of the caps', () => {
    const coins = fc.array(fc.record({ value: finite, weight: fc.double({ min: 1, max: 1e12, noNaN: true }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(coins, (rows) => {
        const value = capWeighted(rows) as number;
        const values = rows.map((row) => row.value);
        expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6);
        expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-6);
        expect(capWeighted(rows.map((row) => ({ ...row, weight: row.weight * 8 })))).toBeCloseTo(value, 6);
      }),
    );
  });

  test('volatility is never negative, ignores a shift and scales with the returns', () => {
    const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(returns, (values) => {
        const volatility = realisedVolatility(values) as number;
        expect(volatility).toBeGreaterThanOrEqual(0);
        expect(realisedVolatility(values.map((value) => value + 0.25))).toBeCloseTo(volatility, 8);
        expect(realisedVolatility(values.map((value) => value * 4))).toBeCloseTo(4 * volatility, 8);
      }),
    );
  });

  test('ranks preserve the order, stay within 0–1 and have mean ½', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 }), (values) => {
        const ranks = rankNormalised(values) as number[];
        expect(ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length).toBeCloseTo(0.5, 10);
        for (const [i, a] of values.entries())
          for (const [j, b] of values.entries()) if (a < b) expect(ranks[i] as number).toBeLessThan(ranks[j] as number);
        expect(Math.min(...ranks)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...ranks)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('Φ is increasing and symmetric', () => {
    const z = fc.double({ min: -8, max: 8, noNaN: true });
    fc.assert(
      fc.property(z, z, (a, b) => {
        expect(normalCdf(a) + normalCdf(-a)).toBeCloseTo(1, 8);
        if (a < b) expect(normalCdf(a)).toBeLessThanOrEqual(normalCdf(b) + 1.5e-7);
      }),
    );
  });

  test('opportunity stays within 0–100 and rises with relevance, strength and breadth and falls with volatility', () => {
    const terms = fc.record({
      relevance: unit,
      relativeSigma: fc.double({ min: -5, max: 5, noNaN: true }),
      breadth: unit,
      volatilityRank: unit,
    });
    fc.assert(
      fc.property(terms, (given) => {
        const score = computeOpportunity(given) as number;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        const better = (change: Partial<typeof given>) => computeOpportunity({ ...given, ...change }) as number;
        expect(better({ relevance: 1 })).toBeGreaterThanOrEqual(score);
        expect(better({ breadth: 1 })).toBeGreaterThanOrEqual(score);
        expect(better({ relativeSigma: 6 })).toBeGreaterThanOrEqual(score);
        expect(better({ volatilityRank: 1 })).toBeLessThanOrEqual(score);
      }),
    );
  });
});
