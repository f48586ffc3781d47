import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { HORIZON_DAYS, type Horizon, type Outcome } from '#features/analysis/contract/predictions.ts';

import { baselines, UNIFORM } from './scores.ts';
import { normals } from './testing/simulated.ts';
import { type DailyClose, flatBand, outcomeOf, realisedVolatility } from './volatility.ts';

const FIRST_DAY = 20_000;

function walk(seed: number, days: number, drift = 0): DailyClose[] {
  const normal = normals(seed);
  let price = 100;
  return Array.from({ length: days }, (_, i) => {
    price *= Math.exp(drift + 0.03 * normal());
    return { day: FIRST_DAY + i, close: price };
  });
}

const steady = (returns: readonly number[]): DailyClose[] => {
  let price = 100;
  return [0, ...returns].map((r, i) => {
    price *= Math.exp(r);
    return { day: FIRST_DAY + i, close: price };
  });
};

/** The definition, window by window, from data known at the start of each only. */
function recount(closes: readonly DailyClose[], horizon: Horizon): { all: Outcome[]; afterLast: Outcome[] } {
  const days = HORIZON_DAYS[horizon];
  const now = closes.at(-1)?.day ?? 0;
  const at = new Map(closes.map(({ day, close }) => [day, close]));
  const classOf = (start: number): Outcome | null => {
    const sigma = realisedVolatility(
      closes.filter(({ day }) => day <= start),
      days,
    );
    const [from, to] = [at.get(start), at.get(start + days)];
    if (sigma === null || from === undefined || to === undefined) return null;
    return outcomeOf(Math.log(to / from), flatBand(sigma));
  };
  const last = classOf(now - days);
  const all: Outcome[] = [];
  const afterLast: Outcome[] = [];
  for (let end = now - 364; end <= now; end++) {
    const outcome = classOf(end - days);
    if (!outcome) continue;
    all.push(outcome);
    if (last && classOf(end - 2 * days) === last) afterLast.push(outcome);
  }
  return { all, afterLast };
}

const share = (outcomes: readonly Outcome[], wanted: Outcome) =>
  (outcomes.filter((outcome) => outcome === wanted).length + 1) / (outcomes.length + 3);

describe('realised volatility', () => {
  test('is the root of the mean squared return, times the root of the horizon', () => {
    const closes = steady(Array.from({ length: 30 }, (_, i) => (i % 2 ? 0.02 : -0.02)));
    expect(realisedVolatility(closes, 1)).toBeCloseTo(0.02, 12);
    expect(realisedVolatility(closes, 28)).toBeCloseTo(0.02 * Math.sqrt(28), 12);
  });

  test('looks back thirty days only', () => {
    const closes = steady([...Array.from({ length: 40 }, () => 0.2), ...Array.from({ length: 30 }, () => 0.01)]);
    expect(realisedVolatility(closes, 1)).toBeCloseTo(0.01, 12);
  });

  test('is unknown with fewer than twenty returns; a missing day costs two', () => {
    const closes = walk(1, 21);
    expect(realisedVolatility(closes, 1)).not.toBeNull();
    expect(realisedVolatility(closes.slice(1), 1)).toBeNull();
    expect(realisedVolatility(closes.toSpliced(10, 1), 1)).toBeNull();
    expect(realisedVolatility([], 1)).toBeNull();
    const gaps = walk(1, 31).filter((_, i) => i % 6 !== 3);
    expect(realisedVolatility(gaps, 1)).not.toBeNull();
  });

  test('the band holds a third of Gaussian returns at every horizon, and its edges count as flat', () => {
    const normal = normals(3);
    const flat = Array.from({ length: 60_000 }, normal).filter((z) => outcomeOf(z, flatBand(1)) === 'flat');
    expect(flat.length / 60_000).toBeCloseTo(1 / 3, 2);
    expect([-0.44, -0.43, 0, 0.43, 0.44].map((r) => outcomeOf(r, flatBand(1))).join(', ')).toBe(
      'down, flat, flat, flat, up',
    );
  });
});

describe('baselines', () => {
  test.each(['24h', '7d', '28d', '180d'] as const)('%s: counted per definition, window by window', (horizon) => {
    const closes = walk(11, 800, 0.002).filter((_, i) => i % 41 !== 7);
    const { all, afterLast } = recount(closes, horizon);
    const { climatology, persistence } = baselines(closes, horizon);
    expect(climatology.n).toBe(all.length);
    expect(climatology.n).toBeGreaterThan(300);
    expect(persistence.n).toBe(afterLast.length);
    for (const outcome of ['up', 'flat', 'down'] as const) {
      expect(climatology.probabilities[outcome]).toBeCloseTo(share(all, outcome), 12);
      if (afterLast.length >= 30) expect(persistence.probabilities[outcome]).toBeCloseTo(share(afterLast, outcome), 12);
    }
  });

  test('unfinished windows do not count: a crash today is one window, not twenty-eight', () => {
    const closes = walk(5, 500);
    const today = (factor: number) =>
      baselines([...closes.slice(0, -1), { day: FIRST_DAY + 499, close: factor }], '28d').climatology;
    const [crash, soar] = [today(0.01), today(1e6)];
    const moved = (outcome: Outcome) => (soar.probabilities[outcome] - crash.probabilities[outcome]) * (crash.n + 3);
    expect(crash.n).toBe(365);
    for (const [outcome, windows] of [['up', 1] as const, ['flat', 0] as const, ['down', -1] as const])
      expect(moved(outcome)).toBeCloseTo(windows, 9);
  });

  test('each past window keeps its initial band: higher volatility now does not make it flat', () => {
    const moves = (size: number) => Array.from({ length: 200 }, (_, i) => (i % 2 ? size : -size));
    const calm = baselines(steady(moves(0.01)), '24h').climatology;
    const wild = baselines(steady([...moves(0.01), ...moves(0.3).slice(0, 40)]), '24h').climatology;
    expect(calm.probabilities.flat).toBeCloseTo(1 / (calm.n + 3), 12);
    expect(wild.probabilities.flat).toBeCloseTo(1 / (wild.n + 3), 12);
  });

  test('uniform below thirty completed windows, with their number', () => {
    const closes = walk(5, 56);
    expect(baselines(closes, '7d').climatology).toEqual({ probabilities: UNIFORM, n: 29 });
    expect(baselines(walk(5, 57), '7d').climatology.n).toBe(30);
    expect(baselines(walk(5, 57), '7d').climatology.probabilities).not.toEqual(UNIFORM);
    expect(baselines([], '24h')).toEqual({
      climatology: { probabilities: UNIFORM, n: 0 },
      persistence: { probabilities: UNIFORM, n: 0, last: null },
    });
  });

  test('persistence learns that a trend continues and a see-saw reverses', () => {
    const trend = steady(Array.from({ length: 400 }, () => 0.01));
    const seesaw = steady(Array.from({ length: 400 }, (_, i) => (i % 2 ? 0.01 : -0.01)));
    expect(baselines(trend, '24h').persistence).toMatchObject({ last: 'up', probabilities: { up: 366 / 368 } });
    expect(baselines(seesaw, '24h').persistence.last).toBe('up');
    expect(baselines(seesaw, '24h').persistence.probabilities.down).toBeGreaterThan(0.98);
  });

  test('property: probabilities sum to 1 and none is zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 300 }), (seed, days) => {
        const { climatology, persistence } = baselines(walk(seed, days), '7d');
        for (const { up, flat, down } of [climatology.probabilities, persistence.probabilities]) {
          expect(up + flat + down).toBeCloseTo(1, 12);
          expect(Math.min(up, flat, down)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });
});
