import type { Horizon, Outcome } from '#features/predictions/contract.ts';

import { holm } from './holm.ts';
import type { BootstrapOptions } from './intervals.ts';
import { type CellTally, tallyScores } from './tally.ts';
import { scoreTrack, type TrackCall, type TrackSummary } from './track.ts';
import { isEligible, type Tails, tailsOf, type Verdict, verdictOf } from './verdict.ts';

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

const tested = (horizon: Horizon, summary: TrackSummary): Tails | null =>
  isEligible(horizon, summary.nEff) ? tailsOf(summary, summary.againstUniform) : null;

/**
 * Every cell shown, assets pooled, with its word (recipe 3.7). Holm runs over all of them, once for "ahead" and once
 * for "behind"; cells that are not tested count in the size of the family.
 */
export function scoreAll(cells: readonly TrackCell[], options?: BootstrapOptions): ScoredCell[] {
  const summaries = cells.map(({ calls, horizon, expected }) => scoreTrack(calls, horizon, { expected, ...options }));
  const tails = cells.map(({ horizon }, i) => tested(horizon, summaries[i] as TrackSummary));
  const ahead = holm(tails.map((tail) => tail?.ahead ?? null));
  const behind = holm(tails.map((tail) => tail?.behind ?? null));
  return cells.map(({ provider, horizon, calls }, i) => {
    const summary = summaries[i] as TrackSummary;
    const [a, b] = [ahead[i] ?? null, behind[i] ?? null];
    const adjusted = a === null || b === null ? null : { ahead: a, behind: b };
    const resolved = calls.flatMap(({ asset, probabilities, climatology, outcome }) =>
      outcome === null || outcome === 'void'
        ? []
        : [{ provider, horizon, asset, probabilities, climatology, outcome: outcome satisfies Outcome }],
    );
    return {
      provider,
      horizon,
      summary,
      adjusted,
      verdict: verdictOf(horizon, summary.nEff, adjusted),
      assets: tallyScores(resolved),
    };
  });
}
