import type { Horizon, Outcome } from '#features/analysis/contract/predictions.ts';

import type { BootstrapOptions } from './intervals.ts';
import { type CellTally, tallyScores } from './tally.ts';
import { scoreTrack, type TrackCall, type TrackSummary } from './track.ts';
import { isEligible, type Tails, tailsOf, type Verdict, verdictOf } from './verdict.ts';

/**
 * Holm's step-down adjustment (1979): the error rate of the whole family stays at the level, whatever depends on what.
 * A null is a hypothesis that is part of the family but cannot be tested: it counts, and stays null.
 */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const adjusted: (number | null)[] = ps.map(() => null);
  const order = ps.flatMap((p, i) => (p === null ? [] : [i])).toSorted((a, b) => (ps[a] as number) - (ps[b] as number));
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.min(1, Math.max(largest, (ps.length - rank) * (ps[i] as number)));
    adjusted[i] = largest;
  }
  return adjusted;
}

/** One track of a provider: a change of its model starts a new one, under a name of its own. */
export type TrackCell = { provider: string; horizon: Horizon; calls: readonly TrackCall[]; expected?: number };

export type ScoredCell = {
  provider: string;
  horizon: Horizon;
  summary: TrackSummary;
  /** One-sided, after Holm over all cells shown; null where nothing is tested yet. */
  adjusted: Tails | null;
  verdict: Verdict;
  assets: CellTally[];
};

/** What a cell is tested by, before any correction; null where nothing is tested yet. */
export const testedTails = (horizon: Horizon, summary: TrackSummary): Tails | null =>
  isEligible(horizon, summary.nEff) ? tailsOf(summary, summary.againstPersistence, summary.againstUniform) : null;

export type Judged = Pick<ScoredCell, 'horizon' | 'summary' | 'adjusted' | 'verdict'>;
type Tested = { horizon: Horizon; nEff: number; tails: Tails | null };

/**
 * Gives every cell its verdict. Holm runs over all of them, once for "ahead" and once for "behind"; cells that are not
 * tested count in the size of the family.
 */
export function verdicts(cells: readonly Tested[]): Pick<ScoredCell, 'adjusted' | 'verdict'>[] {
  const ahead = holm(cells.map(({ tails }) => tails?.ahead ?? null));
  const behind = holm(cells.map(({ tails }) => tails?.behind ?? null));
  return cells.map(({ horizon, nEff }, i) => {
    const [a, b] = [ahead[i] ?? null, behind[i] ?? null];
    const adjusted = a === null || b === null ? null : { ahead: a, behind: b };
    return { adjusted, verdict: verdictOf(horizon, nEff, adjusted) };
  });
}

export function judge(cells: readonly { horizon: Horizon; summary: TrackSummary }[]): Judged[] {
  const judged = verdicts(
    cells.map(({ horizon, summary }) => ({ horizon, nEff: summary.nEff, tails: testedTails(horizon, summary) })),
  );
  return cells.map((cell, i) => ({ ...cell, ...(judged[i] as (typeof judged)[number]) }));
}

/** Every cell shown, assets pooled, with its verdict (recipe 3.7) and a breakdown by asset. */
export function scoreAll(cells: readonly TrackCell[], options?: BootstrapOptions): ScoredCell[] {
  const judged = judge(
    cells.map(({ calls, horizon, expected }) => ({
      horizon,
      summary: scoreTrack(calls, horizon, { expected, ...options }),
    })),
  );
  return cells.map((cell, i) => ({
    ...(judged[i] as Judged),
    provider: cell.provider,
    assets: assetScores(cell),
  }));
}

/** A breakdown of one cell by asset. */
export function assetScores({ provider, horizon, calls }: TrackCell): CellTally[] {
  const resolved = calls.flatMap(({ asset, probabilities, climatology, persistence, outcome }) =>
    outcome === null || outcome === 'void'
      ? []
      : [{ provider, horizon, asset, probabilities, climatology, persistence, outcome: outcome satisfies Outcome }],
  );
  return tallyScores(resolved);
}
