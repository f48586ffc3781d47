import fc from 'fast-check';
import { max, mean, sampleCovariance, sampleStandardDeviation, sampleVariance } from 'simple-statistics';
import { describe, expect, test } from 'vitest';

import { betaTo, computeReturnRisk, maxDrawdown, rollingVolatility } from './risk.ts';

const YEAR = Math.sqrt(365);
const daily = fc.double({ min: -0.5, max: 0.5, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const moving = fc
  .array(daily, { minLength: 3, maxLength: 120 })
  .filter((values) => max(values) - Math.min(...values) > 1e-3);
const near = (value: number | null, expected: number) =>
  expect(Math.abs((value as number) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));

describe('property: equal to simple-statistics within 1e-9', () => {
  test('annualised volatility, Sharpe and Sortino', () => {
    fc.assert(
      fc.property(moving, (returns) => {
        const { volatility, sharpe, sortino } = computeReturnRisk(Float64Array.from(returns));
        const deviation = sampleStandardDeviation(returns);
        const excess = mean(returns) * 365 - 0.02;
        const downside = Math.sqrt(mean(returns.map((each) => Math.min(0, each - 0.02 / 365) ** 2)));
        near(volatility, 100 * deviation * YEAR);
        near(sharpe, excess / (deviation * YEAR));
        if (downside < 1e-9) expect(sortino === null || downside > 0).toBe(true);
        else near(sortino, excess / (downside * YEAR));
      }),
    );
  });

  test('beta is the covariance over the variance', () => {
    const pairs = fc.array(fc.tuple(daily, daily), { minLength: 3, maxLength: 120 });
    fc.assert(
      fc.property(pairs, (both) => {
        const [x, y] = [both.map(([a]) => a), both.map(([, b]) => b)];
        fc.pre(max(y) - Math.min(...y) > 1e-3);
        near(betaTo(Float64Array.from(x), Float64Array.from(y)), sampleCovariance(x, y) / sampleVariance(y));
      }),
    );
  });

  test('rolling volatility of every window, including a constant one after others that moved', () => {
    const still = fc.tuple(daily, fc.integer({ min: 1, max: 60 })).map(([value, length]) => Array(length).fill(value));
    const runs = fc.array(fc.oneof(still, fc.array(daily, { maxLength: 60 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(runs, fc.integer({ min: 2, max: 30 }), (parts, window) => {
        const returns = parts.flat() as number[];
        const ours = rollingVolatility(Float64Array.from(returns), window);
        expect(ours).toHaveLength(Math.max(0, returns.length - window + 1));
        for (const [i, value] of ours.entries())
          near(value, 100 * YEAR * sampleStandardDeviation(returns.slice(i, i + window)));
      }),
    );
  });

  test('rolling volatility of a long series does not drift', () => {
    const returns = Float64Array.from({ length: 30_000 }, (_, i) => (i % 9000 < 40 ? 0.4 : 0.01) * Math.sin(i * i));
    const ours = rollingVolatility(returns, 30);
    for (let i = 0; i < ours.length; i += 97)
      near(ours[i] as number, 100 * YEAR * sampleStandardDeviation([...returns.subarray(i, i + 30)]));
  });
});

describe('maximum drawdown', () => {
  test.each([
    [[100, 120, 90, 130, 110], 25],
    [[1, 2, 3], 0],
    [[5], 0],
    [[], 0],
    [[100, 50, 200, 150], 50],
    [[100, 1], 99],
  ])('of the closes %j is %d %%', (closes, percent) => {
    expect(maxDrawdown(closes)).toBeCloseTo(percent, 9);
  });

  test('property: no later close is further below an earlier one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 60 }), (closes) => {
        const falls = closes.flatMap((high, i) => closes.slice(i).map((low) => 100 * (1 - low / high)));
        expect(maxDrawdown(closes)).toBeCloseTo(Math.max(0, ...falls), 9);
      }),
    );
  });
});

test('worked example: returns of 1, 2, 3 and −2 percent', () => {
  const { volatility, sharpe, sortino } = computeReturnRisk(Float64Array.of(0.01, 0.02, 0.03, -0.02));
  expect(volatility).toBeCloseTo(100 * YEAR * Math.sqrt(0.0014 / 3), 9);
  expect(sharpe).toBeCloseTo((3.65 - 0.02) / (YEAR * Math.sqrt(0.0014 / 3)), 9);
  expect(sortino).toBeCloseTo((3.65 - 0.02) / (Math.sqrt((0.02 + 0.02 / 365) ** 2 / 4) * YEAR), 5);
});

test('constant values have no ratio, and no beta against them', () => {
  const still = new Float64Array(40).fill(0.1);
  expect(computeReturnRisk(still)).toMatchObject({ sharpe: null, sortino: null });
  expect(computeReturnRisk(still).volatility).toBeCloseTo(0, 9);
  expect(betaTo(still, still)).toBeNull();
  expect(
    betaTo(
      still,
      Float64Array.from(still, (_, i) => i / 100),
    ),
  ).toBeCloseTo(0, 9);
});
