import { describe, expect, test } from 'vitest';

import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';

import { mulberry32 } from './intervals.ts';
import { areWeightsUsed, comparePools, type PooledForecast, weightsOf } from './pool.ts';

const DAY = 86_400_000;
const OUTCOMES = ['up', 'flat', 'down'] as const;
const bold = (outcome: Outcome, p: number): Probabilities => {
  const rest = (1 - p) / 2;
  return { up: rest, flat: rest, down: rest, [outcome]: p };
};

/** Each day, one informed forecaster and one confident guesser. */
function days(n: number, know: number): PooledForecast[] {
  const random = mulberry32(3);
  const any = () => OUTCOMES[Math.floor(3 * random())] as Outcome;
  return Array.from({ length: n }, (_, day) => {
    const outcome = any();
    return {
      issuedAt: day * DAY,
      settledAt: (day + 1) * DAY,
      outcome,
      members: [
        { track: 'knows', probabilities: bold(random() < know ? outcome : any(), 0.6) },
        { track: 'guesses', probabilities: bold(any(), 0.6) },
      ],
    };
  });
}

describe('equal weights versus past-based weights', () => {
  test('a skilled analyst gains weight, and the weighted pool is significantly better', () => {
    const found = comparePools(days(200, 0.7), '24h', 200 * DAY);
    expect(found?.brierWeighted).toBeLessThan((found?.brierEqual ?? 0) - 0.05);
    expect(found?.pBetter).toBeLessThan(0.05);
    const [knows, guesses] = ['knows', 'guesses'].map((track) => found?.gains.get(track) ?? 0);
    expect(weightsOf([knows ?? 0, guesses ?? 0])[0]).toBeGreaterThan(0.99);
  });

  test.each([
    ['better, with sixty windows', [['24h', 60, 0.04]], [true]],
    ['better, with fewer windows', [['24h', 59, 0.001]], [false]],
    [
      'better at one of two horizons, not after Holm',
      [
        ['24h', 400, 0.03],
        ['7d', 60, 0.3],
      ],
      [false, false],
    ],
    [
      'better at both',
      [
        ['24h', 400, 0.001],
        ['7d', 60, 0.04],
      ],
      [true, true],
    ],
    ['not yet tested', [['24h', 60, null]], [false]],
    ['a horizon too long for a word', [['28d', 80, 0.0001]], [false]],
  ] as const)('%s: %j', (_, compared, used) => {
    expect(areWeightsUsed(compared.map(([horizon, windows, pBetter]) => ({ horizon, windows, pBetter })))).toEqual(
      used,
    );
  });

  test('when no analyst is better, weights do not help', () => {
    expect(comparePools(days(200, 0), '24h', 200 * DAY)?.pBetter).toBeGreaterThan(0.05);
  });

  test('weights are equal before anything is settled', () => {
    const late = days(30, 0.7).map((each) => ({ ...each, settledAt: 400 * DAY }));
    const found = comparePools(late, '24h', 30 * DAY);
    expect(found?.brierWeighted).toBeCloseTo(found?.brierEqual ?? 0, 12);
    expect(found?.pBetter).toBeNull();
    expect(found?.gains.size).toBe(0);
  });

  test('a silent analyst gains and loses nothing', () => {
    const all = days(60, 0.7).map((each, day) =>
      day % 2 === 0 ? each : { ...each, members: [...each.members, { track: 'late', probabilities: bold('up', 0.4) }] },
    );
    const half = all.find(({ members }) => members.length === 2);
    expect(half?.members.map(({ track }) => track)).toEqual(['knows', 'guesses']);
    const alone = all.map((each) => ({ ...each, members: each.members.filter(({ track }) => track === 'late') }));
    expect(comparePools(alone, '24h', 60 * DAY)).toBeNull();
    expect([...(comparePools(all, '24h', 60 * DAY)?.gains.keys() ?? [])]).toContain('late');
  });

  test('weights sum to one however large the gaps in gains', () => {
    expect(weightsOf([0, -2000, 0])).toEqual([0.5, 0, 0.5]);
  });
});
