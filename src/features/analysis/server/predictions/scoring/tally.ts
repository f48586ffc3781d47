import {
  type Asset,
  HORIZONS,
  type Horizon,
  type Outcome,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';

import { UNIFORM } from './baselines.ts';
import { brier, brierSkill, isHit, logScore } from './scores.ts';

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
