import { describe, expect, test } from 'vitest';

import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';

import { scoreAll, tallyScores } from './all.ts';
import { UNIFORM } from './scores.ts';
import { callsOf, simulateMarket, speaker, truthOfLean } from './testing/simulated.ts';
import { scoreTrack, type TrackCall } from './track.ts';

const DAY = 86_400_000;
const BULL: Probabilities = { up: 0.6, flat: 0.3, down: 0.1 };
const CLIMATE: Probabilities = { up: 0.4, flat: 0.2, down: 0.4 };

function call(day: number, asset: TrackCall['asset'], outcome: TrackCall['outcome'], r: number | null): TrackCall {
  return { issuedAt: day * DAY, asset, probabilities: BULL, climatology: CLIMATE, persistence: UNIFORM, outcome, r };
}

const CALLS: TrackCall[] = [
  call(0, 'BTC', 'up', 0.05),
  call(0, 'ETH', 'down', -0.04),
  call(1, 'BTC', 'flat', 0.001),
  call(1, 'ETH', 'up', 0.02),
  call(2, 'BTC', 'void', null),
  call(3, 'BTC', null, null),
];

describe('one track', () => {
  test('counts resolved, void, pending and missing calls', () => {
    expect(scoreTrack(CALLS, '24h', { expected: 10 })).toMatchObject({
      n: 4,
      dates: 2,
      nEff: 2,
      pending: 1,
      voids: 1,
      voidRate: 0.2,
      missing: 4,
    });
    expect(scoreTrack(CALLS, '7d')).toMatchObject({ dates: 2, nEff: 1, missing: null });
  });

  test('scores are means over resolved calls, next to those of every baseline', () => {
    const summary = scoreTrack(CALLS, '24h');
    const brier = (0.26 + 1.26 + 0.86 + 0.26) / 4;
    const climate = (0.56 + 0.56 + 0.96 + 0.56) / 4;
    expect(summary.hitRate).toBe(0.5);
    expect(summary.brier).toBeCloseTo(brier, 12);
    expect(summary.brierClimatology).toBeCloseTo(climate, 12);
    expect(summary.brierUniform).toBeCloseTo(2 / 3, 12);
    expect(summary.brierPersistence).toBeCloseTo(2 / 3, 12);
    expect(summary.brierAlwaysUp).toBeCloseTo(1, 12);
    expect(summary.skill).toBeCloseTo(1 - brier / Math.min(climate, 2 / 3), 12);
    expect(summary.rps).toBeCloseTo((0.01 + 0.16 + (0.81 + 0.36) + (0.01 + 0.36) + (0.01 + 0.16)) / 4, 12);
    expect(summary.logScore).toBeCloseTo(-(2 * Math.log(0.6) + Math.log(0.1) + Math.log(0.3)) / 4, 12);
  });

  test('the hit-rate interval uses only dates that share no day', () => {
    const { wilson } = scoreTrack(CALLS, '24h');
    expect((wilson?.high ?? 0) - (wilson?.low ?? 0)).toBeGreaterThan(0.8);
  });

  test('without resolved calls every score is null, not zero', () => {
    for (const calls of [[], CALLS.slice(4)])
      expect(scoreTrack(calls, '24h')).toMatchObject({
        n: 0,
        hitRate: null,
        wilson: null,
        brier: null,
        skill: null,
        calibration: null,
        spearman: null,
        dm: null,
        bootstrap: null,
        pt: 'not testable',
      });
    expect(scoreTrack([], '24h').voidRate).toBeNull();
  });

  test('24h and 7d are tested over all dates, longer horizons over spaced dates only', () => {
    const market = simulateMarket(1, 300, 28);
    const calls = callsOf(market, speaker(truthOfLean(28, 0.1), 1));
    const [day, week, month] = [scoreTrack(calls, '24h'), scoreTrack(calls, '7d'), scoreTrack(calls, '28d')];
    expect([day.dm?.lagDays, week.dm?.lagDays, month.dm]).toEqual([10, 14, null]);
    expect([day.bootstrap?.blockDays, week.bootstrap?.blockDays, month.bootstrap]).toEqual([10, 14, null]);
    expect([day.nonOverlapping, week.nonOverlapping, month.nonOverlapping?.n]).toEqual([null, null, 11]);
    expect(month.nEff).toBe(11);
  });

  test('call order does not matter', () => {
    const calls = callsOf(simulateMarket(2, 100, 1), speaker(truthOfLean(1, 0.3), 1));
    const { brier, ...rest } = scoreTrack(calls, '24h');
    const { brier: reversed, ...others } = scoreTrack(calls.toReversed(), '24h');
    expect(reversed).toBeCloseTo(brier as number, 12);
    expect(others.dm?.statistic).toBeCloseTo(rest.dm?.statistic as number, 9);
    expect(others.calibration?.up.points.map(({ count }) => count)).toEqual(
      rest.calibration?.up.points.map(({ count }) => count),
    );
  });
});

describe('all tracks', () => {
  const market = simulateMarket(3, 200, 1, 0.6);
  const skilled = callsOf(market, speaker(truthOfLean(1, 0.6), 1));
  const cell = (provider: string, calls = skilled) => ({ provider, horizon: '24h' as const, calls });

  test('Holm spans every cell shown: more cells need more evidence', () => {
    const [alone] = scoreAll([cell('a')]);
    const [among] = scoreAll([cell('a'), cell('b', []), cell('c', []), cell('d', [])]);
    expect(alone?.verdict).toBe('ahead');
    expect(among?.adjusted?.ahead).toBeCloseTo(4 * (alone?.adjusted?.ahead as number), 12);
  });

  test('a cell below sixty dates has no p and no verdict', () => {
    const few = skilled.filter(({ issuedAt }) => issuedAt < 59 * DAY);
    const enough = skilled.filter(({ issuedAt }) => issuedAt < 60 * DAY);
    expect(scoreAll([cell('a', few)])[0]).toMatchObject({ adjusted: null, verdict: 'no evidence' });
    expect(scoreAll([cell('a', enough)])[0]?.adjusted).not.toBeNull();
  });

  test('each asset is examined without a verdict or a p', () => {
    const [scored] = scoreAll([cell('a')]);
    expect(scored?.assets.map(({ asset, n }) => [asset, n])).toEqual(
      ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'].map((asset) => [asset, 200]),
    );
    for (const asset of scored?.assets ?? [])
      expect(Object.keys(asset).filter((key) => /verdict|^p|adjusted/.test(key))).toEqual(['provider']);
  });
});

test('tally: matches the scores of one track at a time, provider by asset by horizon', () => {
  const market = simulateMarket(4, 60, 1);
  const rows = (['a', 'b'] as const).flatMap((provider, i) =>
    (['24h', '7d'] as const).flatMap((horizon, j) =>
      callsOf(market, speaker(truthOfLean(1, 0.2 + i + j), 1)).map((call) => ({
        ...call,
        provider,
        horizon,
        outcome: call.outcome as Outcome,
      })),
    ),
  );
  const cells = tallyScores(rows);
  expect(cells).toHaveLength(20);
  for (const cell of cells) {
    const { provider, asset, horizon } = cell;
    const own = rows.filter((r) => r.provider === provider && r.asset === asset && r.horizon === horizon);
    const summary = scoreTrack(own, horizon);
    expect(cell.n).toBe(summary.n);
    for (const key of ['hitRate', 'brier', 'brierClimatology', 'skill', 'logScore'] as const)
      expect(cell[key]).toBeCloseTo(summary[key] as number, 12);
  }
  expect(tallyScores([])).toEqual([]);
});
