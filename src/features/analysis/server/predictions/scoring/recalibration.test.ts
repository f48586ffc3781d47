import { describe, expect, test } from 'vitest';

import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';
import { logOdds, recalibrated, sigmoid } from '#shared/recalibration.ts';
import { fitLine, recalibration, type SettledForecast } from './calibration.ts';
import { mulberry32 } from './intervals.ts';
import { brier, UNIFORM } from './scores.ts';

const DAY = 86_400_000;
const IDENTITY = { intercept: 0, slope: 1 };
const NONE = { up: IDENTITY, flat: IDENTITY, down: IDENTITY };
const OUTCOMES = ['up', 'flat', 'down'] as const;

/** Forecasts `said` for an event with probability `truth`, one per day, each settled a day later. */
function forecasts(days: number, said: number, truth: number): SettledForecast[] {
  const random = mulberry32(5);
  return Array.from({ length: days }, (_, day) => {
    const called = OUTCOMES[Math.floor(3 * random())] as Outcome;
    const others = OUTCOMES.filter((name) => name !== called);
    const outcome = random() < truth ? called : (others[Math.floor(2 * random())] as Outcome);
    const rest = (1 - said) / 2;
    const probabilities: Probabilities = { up: rest, flat: rest, down: rest, [called]: said };
    return {
      issuedAt: day * DAY,
      settledAt: (day + 1) * DAY,
      probabilities,
      climatology: UNIFORM,
      persistence: UNIFORM,
      outcome,
    };
  });
}

const rawBrier = (all: readonly SettledForecast[]) =>
  all.reduce((sum, { probabilities, outcome }) => sum + brier(probabilities, outcome), 0) / all.length;

describe('a log-odds line', () => {
  test('without history it is the identity', () => {
    expect(fitLine([])).toEqual(IDENTITY);
    const said = { up: 0.6, flat: 0.3, down: 0.1 };
    const same = recalibrated(said, NONE);
    for (const name of OUTCOMES) expect(same[name]).toBeCloseTo(said[name], 12);
  });

  test('worked example: the gradient is zero at the solution', () => {
    const samples = [0.1, 0.3, 0.5, 0.7, 0.9].map((p, i) => ({ odds: logOdds(p), event: i % 2 === 0, weight: 3 }));
    const { intercept, slope } = fitLine(samples);
    const misses = samples.map(({ odds, event, weight }) => {
      const miss = weight * (sigmoid(intercept + slope * odds) - Number(event));
      return [miss, miss * odds] as const;
    });
    expect(4 * intercept + misses.reduce((sum, [miss]) => sum + miss, 0)).toBeCloseTo(0, 10);
    expect(4 * (slope - 1) + misses.reduce((sum, [, miss]) => sum + miss, 0)).toBeCloseTo(0, 10);
  });

  test('certain but wrong calls stay finite', () => {
    const { up, flat, down } = recalibrated({ up: 1, flat: 0, down: 0 }, NONE);
    expect(up + flat + down).toBeCloseTo(1, 12);
    expect(Math.min(flat, down)).toBeGreaterThan(0);
  });
});

describe('recalibration', () => {
  test('corrects an over-confident forecaster, out of sample', () => {
    const all = forecasts(200, 0.9, 0.5);
    const found = recalibration(all, '24h', 200 * DAY);
    expect(found?.brier).toBeLessThan(rawBrier(all) - 0.1);
    for (const name of OUTCOMES) expect(found?.map[name].slope).toBeLessThan(0.7);
  });

  test('leaves a calibrated one almost unchanged', () => {
    const all = forecasts(400, 0.5, 0.5);
    const found = recalibration(all, '24h', 400 * DAY);
    expect(Math.abs((found?.brier ?? 0) - rawBrier(all))).toBeLessThan(0.01);
  });

  test('learns nothing from calls settled after the week began', () => {
    const all = forecasts(70, 0.9, 0.5);
    const late = all.map((call) => ({ ...call, settledAt: 100 * DAY }));
    expect(recalibration(late, '24h', 70 * DAY)?.brier).toBeCloseTo(rawBrier(all), 9);
    expect(recalibration(late, '24h', 70 * DAY)?.map).toEqual(NONE);
    expect(recalibration(late, '24h', 107 * DAY)?.map.up.slope).toBeLessThan(1);
  });

  test('overlapping windows and calls of one day count as one', () => {
    const daily = forecasts(140, 0.9, 0.5);
    const five = daily.flatMap((call) => [call, call, call, call, call]);
    const one = recalibration(daily, '24h', 140 * DAY);
    const many = recalibration(five, '24h', 140 * DAY);
    expect(many?.map.up.slope).toBeCloseTo(one?.map.up.slope ?? 0, 10);
    const long = recalibration(daily, '28d', 140 * DAY);
    expect(long?.map.up.slope).toBeGreaterThan(one?.map.up.slope ?? 1);
  });

  test('without settled calls nothing is recalibrated', () => {
    expect(recalibration([], '24h', 0)).toBeNull();
  });
});
