import { expect, test } from 'vitest';

import type { Probabilities } from '#features/analysis/contract/predictions.ts';
import { mulberry32 } from './scoring/intervals.ts';
import { callsOf, simulateMarket } from './scoring/testing/simulated.ts';
import { leagueCells, scoreLeagueCells } from './service/league.ts';
import type { StoredCall } from './store/calls.ts';
import type { Standing } from './store/league.ts';

const DAY_MS = 86_400_000;
const FLIPPERS = 1000;

/** Three random probabilities per call, independent of the market. */
function flipper(seed: number): () => Probabilities {
  const random = mulberry32(seed);
  return () => {
    const drawn = [random(), random(), random()];
    const [up = 0, flat = 0, down = 0] = drawn.map((each) => each / drawn.reduce((sum, one) => sum + one, 0));
    return { up, flat, down };
  };
}

const isAhead = ({ verdict }: { verdict: string }) => verdict === 'ahead';

test('a board of 1,000 coin-flippers, each with 70 days of forecasts on one market: none is ahead', () => {
  const market = simulateMarket(1, 70, 1);
  const rows = Array.from({ length: FLIPPERS }, (_, id): Standing[] => {
    const calls = callsOf(market, flipper(id)).map(({ issuedAt, r, ...call }, seq) => ({
      ...call,
      seq,
      analyst: `league:${id}`,
      model: 'open-league',
      horizon: '24h',
      issued_at: new Date(issuedAt).toISOString(),
      outcome_at: new Date(issuedAt + DAY_MS).toISOString(),
      outcome_seq: seq,
      realised: r,
      ranges: null,
      trailingRanges: null,
    }));
    return leagueCells(calls as unknown as StoredCall[], new Date(80 * DAY_MS)).map(
      ({ nEff, tails, cell, horizon }) => ({
        forecaster_id: id,
        horizon,
        through_seq: 1,
        n_eff: nEff,
        p_ahead: tails?.ahead ?? null,
        p_behind: tails?.behind ?? null,
        skill: cell.skill,
        dates: cell.dates,
      }),
    );
  }).flat();
  const judged = scoreLeagueCells(rows);
  expect(judged.filter(({ p_ahead: p }) => p !== null)).toHaveLength(FLIPPERS);
  expect(judged.filter(isAhead)).toEqual([]);
}, 300_000);

test('of 2,000 boards of 1,000 forecasters as good as the baselines, at most 5% have one ahead', () => {
  const random = mulberry32(7);
  const boards = 2000;
  let won = 0;
  for (let board = 0; board < boards; board++) {
    const rows = Array.from({ length: FLIPPERS }, (_, id): Standing => {
      const p = random();
      return {
        forecaster_id: id,
        horizon: '24h',
        through_seq: 1,
        n_eff: 90,
        p_ahead: p,
        p_behind: 1 - p,
        skill: 0,
        dates: 90,
      };
    });
    if (scoreLeagueCells(rows).some(isAhead)) won += 1;
  }
  expect(won / boards).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / boards));
  expect(won).toBeGreaterThan(0);
});
