import { describe, expect, test } from 'vitest';

import type { Horizon, Probabilities } from '#features/analysis/contract/predictions.ts';

import { type ScoredCell, scoreAll } from './all.ts';
import { normalCdf, UNIFORM } from './scores.ts';
import { besideClimatology, callsOf, simulateMarket, speaker, truthOfLean } from './testing/simulated.ts';
import type { TrackCall } from './track.ts';
import { flatBand, outcomeOf } from './volatility.ts';

const QUICKLY = { resamples: 499 };
const DAYS = { '24h': 1, '7d': 7 };
/** Daily σ towards the lean by which 53, 55 and 60% of the directions are right. */
const EDGE = { '24h': { 53: 0.0753, 55: 0.1257, 60: 0.2533 }, '7d': { 53: 0.05, 55: 0.084, 60: 0.17 } };

type Short = keyof typeof DAYS;
type Speak = (lean: number) => Probabilities;

const judge = (horizon: Horizon, calls: TrackCall[]) =>
  scoreAll([{ provider: 'a', horizon, calls }], QUICKLY)[0] as ScoredCell;
const simulated = (horizon: Short, seed: number, dates: number, edge: number, speak: Speak) =>
  callsOf(simulateMarket(seed, dates, DAYS[horizon], edge), speak);

/** Share of each verdict over many markets. */
function words(simulations: number, one: (seed: number) => ScoredCell): { ahead: number; behind: number } {
  const counts = { ahead: 0, behind: 0 };
  for (let seed = 1; seed <= simulations; seed++) {
    const { verdict } = one(seed);
    if (verdict === 'ahead' || verdict === 'behind') counts[verdict] += 1;
  }
  return { ahead: counts.ahead / simulations, behind: counts.behind / simulations };
}

/** The rate stated for the laxer of the two tests that must agree, and two standard errors. */
const atMost = (stated: number, simulations: number) => stated + 2 * Math.sqrt((stated * (1 - stated)) / simulations);

describe('unskilled', () => {
  const noise = speaker(truthOfLean(1, EDGE['24h'][60]), 1);

  test.each([
    ['24h', 365],
    ['7d', 730],
  ] as const)('%s: uninformed calls are never ahead', (horizon, dates) => {
    expect(words(40, (seed) => judge(horizon, simulated(horizon, seed, dates, 0, noise))).ahead).toBe(0);
  });

  test.each([
    ['24h', 365, 0.054, 120],
    ['7d', 730, 0.067, 80],
  ] as const)(
    '%s: calls exactly as good as the base rate are ahead or behind no more often than stated',
    (...given) => {
      const [horizon, dates, stated, simulations] = given;
      const edge = EDGE[horizon][60];
      const asGood = speaker(truthOfLean(DAYS[horizon], edge), 2);
      const { ahead, behind } = words(simulations, (seed) =>
        judge(horizon, simulated(horizon, seed, dates, edge, asGood)),
      );
      expect(ahead).toBeLessThanOrEqual(atMost(stated, simulations));
      expect(behind).toBeLessThanOrEqual(atMost(stated, simulations));
    },
  );

  test('among four as good as the base rate, any is ahead no more often than a single one may be', () => {
    const [simulations, horizon] = [60, '24h' as const];
    const asGood = speaker(truthOfLean(1, EDGE['24h'][60]), 2);
    let [corrected, raw] = [0, 0];
    for (let seed = 1; seed <= simulations; seed++) {
      const cells = [1, 2, 3, 4].map((provider) => ({
        provider: String(provider),
        horizon,
        calls: simulated(horizon, 100_000 * provider + seed, 365, EDGE['24h'][60], asGood),
      }));
      const scored = scoreAll(cells, QUICKLY);
      if (scored.some(({ verdict }) => verdict === 'ahead')) corrected++;
      if (scored.some(({ summary }) => (summary.dm?.pAhead ?? 1) < 0.05)) raw++;
    }
    expect(corrected / simulations).toBeLessThanOrEqual(atMost(0.054, simulations));
    expect(raw / simulations).toBeGreaterThan(atMost(0.054, simulations));
  });

  test.each([
    ['24h', 365],
    ['7d', 730],
  ] as const)('%s: a third for everything beats a base rate from one year, and is not ahead', (...given) => {
    const [horizon, dates] = given;
    const warmUp = 364 + DAYS[horizon];
    let beatsClimatology = 0;
    const { ahead } = words(40, (seed) => {
      const calls = simulated(horizon, seed, warmUp + dates, 0, () => UNIFORM);
      const scored = judge(horizon, besideClimatology(calls, DAYS[horizon]));
      if ((scored.summary.dm?.pAhead ?? 1) < 0.05) beatsClimatology++;
      return scored;
    });
    expect(beatsClimatology).toBeGreaterThan(8);
    expect(ahead).toBe(0);
  });
});

describe('skilled and calibrated', () => {
  test.each([
    ['24h', 365, 60, 0.75, 1],
    ['24h', 730, 60, 0.9, 1],
    ['24h', 730, 55, 0.45, 0.75],
    ['7d', 730, 60, 0.45, 0.75],
  ] as const)(
    '%s, %d dates, %d of 100 right: ahead with a chance of %d to %d, never behind',
    (horizon, dates, right, least, most) => {
      const edge = EDGE[horizon][right];
      const calibrated = speaker(truthOfLean(DAYS[horizon], edge), 1);
      const { ahead, behind } = words(40, (seed) => judge(horizon, simulated(horizon, seed, dates, edge, calibrated)));
      expect(ahead).toBeGreaterThanOrEqual(least);
      expect(ahead).toBeLessThanOrEqual(most);
      expect(behind).toBe(0);
    },
  );

  test('before sixty windows there is no evidence, however good; from 28d there are too few windows', () => {
    const knows = (horizon: Short, dates: number) =>
      judge(horizon, simulated(horizon, 1, dates, 1, speaker(truthOfLean(DAYS[horizon], 1), 1)));
    expect(knows('24h', 59).verdict).toBe('no evidence');
    expect(knows('24h', 60).verdict).toBe('ahead');
    expect(knows('7d', 413).verdict).toBe('no evidence');
    expect(knows('7d', 414).verdict).toBe('ahead');
    const calls = simulated('24h', 1, 730, 1, speaker(truthOfLean(1, 1), 1));
    for (const horizon of ['28d', '180d'] as const)
      expect(judge(horizon, calls)).toMatchObject({ verdict: 'too few independent windows', adjusted: null });
  });
});

describe('over-confident', () => {
  const sure = (p: number): Speak => {
    const [up, rest] = [{ up: p, flat: (1 - p) / 2, down: (1 - p) / 2 }, (1 - p) / 2];
    return (lean) => (lean > 0 ? up : { up: rest, flat: rest, down: p });
  };

  test.each([
    ['24h', 365, 53, 0.6],
    ['24h', 365, 55, 0.8],
    ['7d', 730, 53, 0.7],
  ] as const)('%s, %d dates: %d of 100 right and claiming %d is behind', (horizon, dates, right, said) => {
    const edge = EDGE[horizon][right];
    expect(words(30, (seed) => judge(horizon, simulated(horizon, seed, dates, edge, sure(said))))).toEqual({
      ahead: 0,
      behind: expect.closeTo(1, 9),
    });
  });

  test('more confidence scores worse', () => {
    const skills = [0.4, 0.5, 0.6, 0.7, 0.8].map(
      (said) => judge('24h', simulated('24h', 1, 365, EDGE['24h'][53], sure(said))).summary.skill as number,
    );
    expect(skills.toSorted((a, b) => b - a)).toEqual(skills);
  });
});

describe('always bullish', () => {
  /** Daily σ by which the market drifts up: + 100% a year at 3% a day. */
  const DRIFT = Math.log(2) / 365 / 0.03;

  test('in a rising market it is right more often than not: untestable, and never ahead', () => {
    const root = Math.sqrt(7);
    const up = normalCdf(DRIFT * root - flatBand(1));
    const down = normalCdf(-DRIFT * root - flatBand(1));
    const climatology = { up, flat: 1 - up - down, down };
    let rises = 0;
    const { ahead } = words(30, (seed) => {
      const market = simulateMarket(seed, 730, 7);
      const calls = callsOf(market, () => ({ up: 0.55, flat: 0.25, down: 0.2 })).map((call) => {
        const r = (call.r as number) + DRIFT * 7 * 0.03;
        if (r > 0) rises++;
        return { ...call, climatology, r, outcome: outcomeOf(r, flatBand(market.sigma)) };
      });
      const scored = judge('7d', calls);
      expect(scored.summary.pt).toBe('not testable');
      return scored;
    });
    expect(rises / (30 * 730 * 5)).toBeGreaterThan(0.55);
    expect(ahead).toBe(0);
  });
});
