import {
  HORIZON_DAYS,
  type Horizon,
  type Outcome,
  type Probabilities,
} from '#features/analysis/contract/predictions.ts';

import { holm } from './all.ts';
import { dieboldMariano, isEligible, isLong, LEVEL, nonOverlappingTest } from './compare.ts';
import { issueDay, meansByDate, nonOverlapping, startOfWeek } from './dates.ts';
import { brier } from './scores.ts';

/**
 * Linear opinion pool (Stone 1961): the weighted mean of the probabilities, equal weights unless others are given.
 * Its Brier score never exceeds the weighted mean of the Brier scores of its members.
 */
export function linearPool(members: readonly Probabilities[], weights?: readonly number[]): Probabilities | null {
  let [up, flat, down, total] = [0, 0, 0, 0];
  for (const [i, member] of members.entries()) {
    const weight = weights?.[i] ?? (weights ? 0 : 1);
    up += weight * member.up;
    flat += weight * member.flat;
    down += weight * member.down;
    total += weight;
  }
  if (!(total > 0)) return null;
  return { up: up / total, flat: flat / total, down: down / total };
}

/**
 * Gini's mean difference of the leans p_up − p_down: the mean over all pairs of their distance, 0 when all lean alike,
 * 2 when one is sure of up and one of down. Null for fewer than two members.
 */
export function dispersion(members: readonly Probabilities[]): number | null {
  if (members.length < 2) return null;
  const leans = members.map(({ up, down }) => up - down).toSorted((a, b) => a - b);
  const n = leans.length;
  const sum = leans.reduce((sum, lean, i) => sum + (2 * i - n + 1) * lean, 0);
  return Math.max(0, (2 * sum) / (n * (n - 1)));
}

/** What several tracks said of one asset at one moment, and what came of it. */
export type PooledForecast = {
  issuedAt: number;
  settledAt: number;
  outcome: Outcome;
  members: readonly { track: string; probabilities: Probabilities }[];
};

export type PoolComparison = {
  n: number;
  dates: number;
  /** Windows that share no day. */
  windows: number;
  brierEqual: number;
  brierWeighted: number;
  /** One-sided: that the weights are better by chance. Null where nothing can be tested yet. */
  pBetter: number | null;
  /** How much less than the pool each track has lost, summed over windows: its weight is the exponential of it. */
  gains: ReadonlyMap<string, number>;
};

type Judged = PooledForecast & { equal: Probabilities; lossEqual: number };

/**
 * Equal weights against weights by the past (recipe 3.8), each call out of sample. A track's weight is e to the sum of what
 * it lost less than the pool of equal weights (Vovk 1990), over calls settled before the week began; a day counts once, and
 * windows that overlap as one. Who was silent gains and loses nothing. Null without calls of two tracks.
 */
export function comparePools(
  forecasts: readonly PooledForecast[],
  horizon: Horizon,
  at: number,
): PoolComparison | null {
  const days = HORIZON_DAYS[horizon];
  const judged = forecasts.flatMap((each): Judged[] => {
    const equal = each.members.length < 2 ? null : linearPool(each.members.map(({ probabilities }) => probabilities));
    return equal ? [{ ...each, equal, lossEqual: brier(equal, each.outcome) }] : [];
  });
  if (judged.length === 0) return null;
  const onDay = new Map<string, number>();
  const dayOf = (track: string, issuedAt: number) => `${issueDay(issuedAt)} ${track}`;
  for (const { issuedAt, members } of judged)
    for (const { track } of members) {
      const key = dayOf(track, issuedAt);
      onDay.set(key, (onDay.get(key) ?? 0) + 1);
    }
  const settled = judged.toSorted((a, b) => a.settledAt - b.settledAt);
  const gains = new Map<string, number>();
  let known = 0;

  function learnUntil(week: number): void {
    for (let next = settled[known]; next && next.settledAt < week; next = settled[++known]) {
      const { issuedAt, outcome, members, lossEqual } = next;
      for (const { track, probabilities } of members) {
        const gain = lossEqual - brier(probabilities, outcome);
        const calls = (onDay.get(dayOf(track, issuedAt)) ?? 1) * days;
        gains.set(track, (gains.get(track) ?? 0) + gain / calls);
      }
    }
  }

  const weeks = [...Map.groupBy(judged, ({ issuedAt }) => startOfWeek(issuedAt))].toSorted(([a], [b]) => a - b);
  const issued: number[] = [];
  const differences: number[] = [];
  let [ofEqual, ofWeighted] = [0, 0];
  for (const [week, own] of weeks) {
    learnUntil(week);
    for (const { issuedAt, outcome, members, equal, lossEqual } of own) {
      const pool = linearPool(
        members.map(({ probabilities }) => probabilities),
        weightsOf(members.map(({ track }) => gains.get(track) ?? 0)),
      );
      const loss = brier(pool ?? equal, outcome);
      ofEqual += lossEqual;
      ofWeighted += loss;
      issued.push(issueDay(issuedAt));
      differences.push(loss - lossEqual);
    }
  }
  learnUntil(startOfWeek(at));
  const dates = meansByDate(issued, differences);
  const test = isLong(horizon) ? nonOverlappingTest(dates, days) : dieboldMariano(dates, days);
  return {
    n: judged.length,
    dates: dates.length,
    windows: nonOverlapping(dates, days).length,
    brierEqual: ofEqual / judged.length,
    brierWeighted: ofWeighted / judged.length,
    pBetter: test?.pAhead ?? null,
    gains,
  };
}

/** They sum to 1. */
export function weightsOf(gains: readonly number[]): number[] {
  const most = Math.max(...gains);
  const raw = gains.map((gain) => Math.exp(gain - most));
  const sum = raw.reduce((total, each) => total + each, 0);
  return raw.map((each) => each / sum);
}

/** Whether weights beat equal ones at each horizon: p below 0.05 after Holm, with the windows that any verdict needs. */
export function areWeightsUsed(
  compared: readonly Readonly<Pick<PoolComparison, 'windows' | 'pBetter'> & { horizon: Horizon }>[],
): boolean[] {
  const tested = compared.map(({ horizon, windows, pBetter }) => (isEligible(horizon, windows) ? pBetter : null));
  return holm(tested).map((p) => p !== null && p < LEVEL);
}
