import { HORIZON_DAYS, type Horizon } from '#features/analysis/contract/predictions.ts';

export type Verdict = 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
export type Tails = { ahead: number; behind: number };

/** Windows that share no day before any word of skill is said. */
export const FEWEST_WINDOWS = 60;
export const LEVEL = 0.05;
/** From here on sixty windows take longer than a track can be expected to live: 28d 4.6 years, 180 d 30 years. */
const LONG_HORIZON_DAYS = 28;

export const isLong = (horizon: Horizon): boolean => HORIZON_DAYS[horizon] >= LONG_HORIZON_DAYS;

/** Whether a cell may be tested for a word; its place in Holm's family it keeps either way. */
export const isEligible = (horizon: Horizon, nEff: number): boolean => !isLong(horizon) && nEff >= FEWEST_WINDOWS;

type Test = { pAhead: number; pBehind: number } | null;
type Tests = { dm: Test; bootstrap: Test };

/**
 * The p a word is tested by. Diebold-Mariano and the bootstrap must agree, so the larger of the two counts in each
 * tail. A track that is ahead must also be ahead of the other baselines: climatology is counted over one year, and its
 * own sampling error is beaten by saying a third for everything.
 */
export function tailsOf({ dm, bootstrap }: Tests, ...others: readonly Tests[]): Tails | null {
  if (!dm || !bootstrap) return null;
  const aheadOfOthers = others.flatMap((other) => [other.dm?.pAhead ?? 1, other.bootstrap?.pAhead ?? 1]);
  return {
    ahead: Math.max(dm.pAhead, bootstrap.pAhead, ...aheadOfOthers),
    behind: Math.max(dm.pBehind, bootstrap.pBehind),
  };
}

/** `adjusted` are the one-sided p after Holm over every provider and horizon shown. */
export function verdictOf(horizon: Horizon, nEff: number, adjusted: Tails | null): Verdict {
  if (isLong(horizon)) return 'too few independent windows';
  if (!adjusted || !isEligible(horizon, nEff)) return 'no evidence';
  if (adjusted.ahead < LEVEL) return 'ahead';
  return adjusted.behind < LEVEL ? 'behind' : 'no evidence';
}
