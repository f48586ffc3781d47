import { describe, expect, test } from 'vitest';

import { dieboldMariano, nonOverlappingTest } from './compare.ts';
import type { DateMean } from './dates.ts';
import { blockBootstrap } from './intervals.ts';
import { ASSETS, simulateMarket } from './testing/simulated.ts';

const LEVEL = 0.05;
const SIMULATIONS = 400;

type Rates = { naive: number; dm: number; bootstrap: number; both: number; apart: number };

/** A date's errors relative to a coin flip: a negative mean looks like skill. */
function missesByDate(seed: number, dates: number, days: number, edge: number): DateMean[] {
  const { leans, returns } = simulateMarket(seed, dates, days, edge);
  return leans.map((lean, day) => {
    const hits = (returns[day] ?? []).filter((r) => r * lean > 0).length;
    return { day, value: 0.5 - hits / ASSETS };
  });
}

/** Treats every call as independent: the test that must not be used. */
function naiveBinomial(dates: readonly DateMean[]): boolean {
  const n = dates.length * ASSETS;
  const hits = dates.reduce((sum, { value }) => sum + ASSETS * (0.5 - value), 0);
  return (hits - n / 2) / Math.sqrt(n / 4) > 1.6449;
}

/** How often each test declares skill at a nominal one-sided 5%. */
function declared(dates: number, days: number, edge = 0, simulations = SIMULATIONS): Rates {
  const rates: Rates = { naive: 0, dm: 0, bootstrap: 0, both: 0, apart: 0 };
  const each = 1 / simulations;
  for (let seed = 1; seed <= simulations; seed++) {
    const misses = missesByDate(seed, dates, days, edge);
    const dm = (dieboldMariano(misses, days)?.pAhead ?? 1) < LEVEL;
    const bootstrap = days < 28 && (blockBootstrap(misses, days, { resamples: 499 })?.pAhead ?? 1) < LEVEL;
    if (naiveBinomial(misses)) rates.naive += each;
    if (dm) rates.dm += each;
    if (bootstrap) rates.bootstrap += each;
    if (dm && bootstrap) rates.both += each;
    if ((nonOverlappingTest(misses, days)?.pAhead ?? 1) < LEVEL) rates.apart += each;
  }
  return rates;
}

/** The stated rate and two standard errors of a rate counted in so many simulations. */
const atMost = (stated: number) => stated + 2 * Math.sqrt((stated * (1 - stated)) / SIMULATIONS);

describe('an unskilled forecaster, 365 daily calls on five assets, nominal 5%', () => {
  test.each([
    ['24h: at most the stated 5.4% (Diebold-Mariano) and 6.0% (bootstrap)', 1, 0.054, 0.06, 0.13],
    ['7d: at most the stated 6.7% and 6.5%', 7, 0.067, 0.065, 0.2],
  ])('%s; the naive binomial test is invalid', (_, days, most, mostOfBootstrap, least) => {
    const { naive, dm, bootstrap, both } = declared(365, days);
    expect(dm).toBeLessThanOrEqual(atMost(most));
    expect(bootstrap).toBeLessThanOrEqual(atMost(mostOfBootstrap));
    expect(both).toBeLessThanOrEqual(Math.min(dm, bootstrap));
    expect(naive).toBeGreaterThan(least);
  });

  test('28d: spaced dates stay within the stated 5.7%; the naive binomial test is invalid', () => {
    const { naive, apart } = declared(365, 28);
    expect(apart).toBeLessThanOrEqual(atMost(0.057));
    expect(naive).toBeGreaterThan(0.33);
  });
});

test.each([
  ['24h, one year: 80%', 365, 1, 0.1257, 0.8],
  ['24h, two years: 98%', 730, 1, 0.1257, 0.98],
  ['7d, one year: 40%', 365, 7, 0.084, 0.4],
  ['7d, two years: 58%', 730, 7, 0.084, 0.58],
])('hits detect a true 55% forecaster about as often as stated: %s', (_, dates, days, edge, stated) => {
  expect(Math.abs(declared(dates, days, edge, 300).bootstrap - stated)).toBeLessThan(0.06);
});
