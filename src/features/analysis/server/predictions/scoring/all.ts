import {
  type Asset,
  HORIZONS,
  type Horizon,
  type Outcome,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import { isEligible, type Tails, tailsOf, type Verdict, verdictOf } from './compare.ts';
import type { BootstrapOptions } from './intervals.ts';
import { brier, brierSkill, isHit, logScore, UNIFORM } from './scores.ts';
import { scoreTrack, type TrackCall, type TrackSummary } from './track.ts';

export type ResolvedRow = {
  provider: string;
  asset: Asset;
  horizon: Horizon;
  probabilities: Probabilities;
  climatology: Probabilities;
  persistence: Probabilities;
  outcome: Outcome;
};

/** Points without a test: a cell of one asset is looked into, not judged. */
export type CellTally = {
  provider: string;
  asset: Asset;
  horizon: Horizon;
  n: number;
  hitRate: number;
  brier: number;
  brierClimatology: number;
  skill: number | null;
  logScore: number;
};

const CELLS = SYMBOLS.length * HORIZONS.length;
const [N, HITS, BRIER, CLIMATOLOGY, PERSISTENCE, UNIFORMLY, LOG, WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7];
const offsets = <T extends string>(names: readonly T[], step: number) =>
  Object.fromEntries(names.map((name, i) => [name, i * step])) as Record<T, number>;
const ASSET_OFFSET = offsets(SYMBOLS, HORIZONS.length * WIDTH);
const HORIZON_OFFSET = offsets(HORIZONS, WIDTH);

/** Mean scores of every provider × asset × horizon that has resolved calls, in one pass over the rows. */
export function tallyScores(rows: readonly ResolvedRow[]): CellTally[] {
  const sums = new Map<string, Float64Array>();
  for (const { provider, asset, horizon, probabilities, climatology, persistence, outcome } of rows) {
    let cells = sums.get(provider);
    if (!cells) {
      cells = new Float64Array(CELLS * WIDTH);
      sums.set(provider, cells);
    }
    const at = ASSET_OFFSET[asset] + HORIZON_OFFSET[horizon];
    const add = (column: number, value: number) => {
      cells[at + column] = (cells[at + column] as number) + value;
    };
    add(N, 1);
    if (isHit(probabilities, outcome)) add(HITS, 1);
    add(BRIER, brier(probabilities, outcome));
    add(CLIMATOLOGY, brier(climatology, outcome));
    add(PERSISTENCE, brier(persistence, outcome));
    add(UNIFORMLY, brier(UNIFORM, outcome));
    add(LOG, logScore(probabilities, outcome));
  }
  return [...sums].flatMap(([provider, cells]) =>
    SYMBOLS.flatMap((asset) =>
      HORIZONS.flatMap((horizon) => {
        const at = ASSET_OFFSET[asset] + HORIZON_OFFSET[horizon];
        const n = cells[at + N] as number;
        if (n === 0) return [];
        const mean = (column: number) => (cells[at + column] as number) / n;
        const [score, reference] = [mean(BRIER), mean(CLIMATOLOGY)];
        return [
          {
            provider,
            asset,
            horizon,
            n,
            hitRate: mean(HITS),
            brier: score,
            brierClimatology: reference,
            skill: brierSkill(score, reference, mean(PERSISTENCE), mean(UNIFORMLY)),
            logScore: mean(LOG),
          },
        ];
      }),
    ),
  );
}

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
