import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  computeContribution,
  computeScore,
  IMPACT_STEPS,
  IMPACT_WEIGHTS,
  SCORED,
  type Scored,
  SENTIMENT_STEPS,
  SENTIMENT_WEIGHTS,
  scoreStep,
} from '#shared/inflation-rule.ts';
import { addMonths } from '#shared/release-calendar.ts';

import { indicatorSentences } from './service/commentary.ts';
import { localForecast } from './service/forecast.ts';
import { computeLevels, monthly, newestYearly, percentChange, twoYearRate, yearly } from './service/rates.ts';
import type { Vintage } from './types.ts';

const surprise = fc.option(fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10));
const surprises = fc.record(Object.fromEntries(SCORED.map((series) => [series, surprise]))) as fc.Arbitrary<
  Record<Scored, number | null>
>;
const all = (value: number | null) =>
  Object.fromEntries(SCORED.map((series) => [series, value])) as Record<Scored, number | null>;

describe('the sentiment score', () => {
  test('weights sum to one, and one point of surprise everywhere is two units at most', () => {
    for (const weights of [SENTIMENT_WEIGHTS, ...Object.values(IMPACT_WEIGHTS)]) {
      expect(SCORED.reduce((sum, series) => sum + weights[series], 0)).toBeCloseTo(1, 10);
      expect(computeScore(all(0.1), weights)).toBe(-1);
      expect(computeScore(all(1), weights)).toBe(-2);
      expect(computeScore(all(-7), weights)).toBe(2);
    }
    expect(computeScore(all(null), SENTIMENT_WEIGHTS)).toBeNull();
    expect(computeContribution(0.2, 0.3)).toBe(-0.6);
  });

  test('is within ±2, flips with its signs, and never rises with a surprise', () => {
    fc.assert(
      fc.property(surprises, fc.constantFrom(...SCORED), (given, series) => {
        const score = computeScore(given, SENTIMENT_WEIGHTS);
        if (score === null) return;
        expect(Math.abs(score)).toBeLessThanOrEqual(2);
        const turned = Object.fromEntries(
          SCORED.map((each) => [each, given[each] === null ? null : -(given[each] ?? 0)]),
        ) as typeof given;
        expect(computeScore(turned, SENTIMENT_WEIGHTS)).toBeCloseTo(-score, 9);
        const more = { ...given, [series]: (given[series] ?? 0) + 0.1 };
        expect(computeScore(more, SENTIMENT_WEIGHTS)).toBeLessThanOrEqual(score + 1e-9);
        expect(scoreStep(-score)).toBe(6 - scoreStep(score));
      }),
    );
  });

  test.each([
    [2, 'very_bullish', 'strong_positive'],
    [1.5, 'very_bullish', 'strong_positive'],
    [1.499, 'bullish', 'positive'],
    [0.75, 'bullish', 'positive'],
    [0.749, 'slightly_bullish', 'slightly_positive'],
    [0.25, 'slightly_bullish', 'slightly_positive'],
    [0.249, 'neutral', 'neutral'],
    [0, 'neutral', 'neutral'],
    [-0.25, 'slightly_bearish', 'slightly_negative'],
    [-0.75, 'bearish', 'negative'],
    [-1.5, 'very_bearish', 'strong_negative'],
  ])('a score of %d is %s', (score, sentiment, impact) => {
    expect([SENTIMENT_STEPS[scoreStep(score)], IMPACT_STEPS[scoreStep(score)]]).toEqual([sentiment, impact]);
  });
});

const AT = new Date('2030-01-01T00:00:00Z');
const vintage = (series: string, period: string, value: number | null): Vintage => ({
  series,
  period,
  value,
  published_at: '2029-01-01T00:00:00.000Z',
  first_print: true,
  source: 'test',
  fetched_at: '2029-01-01T00:00:00.000Z',
  method: 'measured',
});

describe('month arithmetic', () => {
  test('a change covers exactly one or twelve months, or is null with a reason, regardless of missing months', () => {
    const months = fc.array(fc.option(fc.double({ min: 50, max: 500, noNaN: true })), { minLength: 14, maxLength: 30 });
    fc.assert(
      fc.property(months, fc.boolean(), (values, drop) => {
        const rows = values.flatMap((value, i) =>
          value === null && drop
            ? []
            : [
                vintage('CPIAUCNS', addMonths('2027-01', i), value),
                vintage('CPIAUCSL', addMonths('2027-01', i), value),
              ],
        );
        const levels = computeLevels(rows);
        for (let i = 12; i < values.length; i++) {
          const period = addMonths('2027-01', i);
          const [now, month, year] = [values[i], values[i - 1], values[i - 12]];
          const [mom, yoy] = [
            monthly(levels, 'cpi', 'headline', period, AT),
            yearly(levels, 'cpi', 'headline', period, AT),
          ];
          expect(mom.value).toBe(now != null && month != null ? percentChange(now, month) : null);
          expect(yoy.value).toBe(now != null && year != null ? percentChange(now, year) : null);
          if (mom.value === null) expect(mom.reason).toMatch(/20(27|28|29)/);
        }
      }),
    );
  });

  test('the thirteen-month trap: without its twelfth month the year is unknown, even if the thirteenth exists', () => {
    const levels = computeLevels([
      vintage('CPIAUCSL', '2025-09', 324),
      vintage('CPIAUCSL', '2025-11', 325),
      vintage('CPIAUCSL', '2026-10', 333),
      vintage('CPIAUCSL', '2026-11', 334),
    ]);
    const october = yearly(levels, 'cpi', 'headline', '2026-10', AT);
    expect(october).toEqual({
      value: null,
      reason: 'October 2025 was never published: no prices were collected during the government shutdown',
    });
    expect(yearly(levels, 'cpi', 'headline', '2026-11', AT)).toMatchObject({ value: 2.8, basis: 'SA' });
    expect(newestYearly(levels, 'cpi', 'headline', '2026-12', AT)).toMatchObject({ period: '2026-11' });
    expect(monthly(levels, 'cpi', 'headline', '2025-11', AT).value).toBeNull();
  });

  test('two years span the missing month; the newest yearly rate comes from the month before it', () => {
    const levels = computeLevels([
      vintage('CPIAUCSL', '2024-10', 315),
      vintage('CPIAUCSL', '2025-09', 324),
      vintage('CPIAUCSL', '2026-09', 332),
      vintage('CPIAUCSL', '2026-10', 333),
    ]);
    const { period, rate } = newestYearly(levels, 'cpi', 'headline', '2026-10', AT) ?? {};
    expect([period, rate?.value]).toEqual(['2026-09', 2.5]);
    expect(twoYearRate(levels, 'cpi', 'headline', '2026-10', AT).value).toBe(2.8);
    expect(newestYearly(levels, 'cpi', 'core', '2026-10', AT)).toBeUndefined();
  });

  test('the unadjusted index takes precedence over the adjusted one, which is marked SA', () => {
    const rows = [vintage('CPIAUCNS', '2028-05', 304.127), vintage('CPIAUCNS', '2029-05', 314.069)];
    expect(yearly(computeLevels(rows), 'cpi', 'headline', '2029-05', AT)).toEqual({
      value: 3.3,
      from: [rows[1], rows[0]],
    });
  });
});

const of = (value: number, period: string | null = null) => ({ value, period });

test.each([
  ['cpi', { yoy: of(3.1) }, /persistent/],
  ['cpi', { yoy: of(3) }, /within its range/],
  ['cpi', { yoy: of(2) }, /within its range/],
  ['cpi', { yoy: of(1.9) }, /cooling/],
  ['cpi', { yoy: of(2.5), coreYoy: of(2.6) }, /core rate of 2.6% is above/],
  [
    'cpi',
    { yoy: of(3.1, '2026-09'), twoYears: 2.9 },
    /were 3.1% above the year before in September 2026.*persistent.*2.9% per year over the last two years/,
  ],
  ['cpi', { mom: 0.2 }, /^Consumer prices changed 0.2% month over month\.$/],
  ['pce', { yoy: of(2.6) }, /strong/],
  ['pce', { yoy: of(1.4) }, /weak/],
  ['ppi', { mom: 0.6 }, /rising/],
  ['ppi', { mom: -0.3 }, /fell 0.3%/],
  ['ppi', { yoy: of(3.1) }, /sustained/],
  ['pce', {}, /^Inflation data analysis not available\.$/],
] as const)('commentary by threshold: thresholds: %s %o', (type, rates, words) => {
  const none = { mom: null, yoy: null, coreYoy: null, twoYears: null };
  expect(indicatorSentences(type, { ...none, ...rates }).join(' ')).toMatch(words);
});

test('the built-in forecaster: gives nothing without history, otherwise a value within its range', () => {
  expect(localForecast([0.2, 0.3])).toBeNull();
  const changes = fc.array(
    fc.integer({ min: -10, max: 15 }).map((tenths) => tenths / 10),
    { minLength: 6, maxLength: 60 },
  );
  fc.assert(
    fc.property(changes, (values) => {
      const said = localForecast(values);
      const window = values.slice(-24);
      const spread = Math.max(...window) - Math.min(...window);
      expect(said?.prediction).toBeGreaterThanOrEqual(Math.min(...window) - spread);
      expect(said?.prediction).toBeLessThanOrEqual(Math.max(...window) + spread);
    }),
  );
  expect(localForecast(Array.from({ length: 30 }, () => 0.2))).toEqual({ prediction: 0.2, confidence: 100 });
});
