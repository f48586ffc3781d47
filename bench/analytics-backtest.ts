import { HORIZONS, type Probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { type CellTally, type ResolvedRow, tallyScores } from '#features/analysis/server/predictions/scoring/all.ts';
import { mulberry32 } from '#features/analysis/server/predictions/scoring/intervals.ts';
import { UNIFORM } from '#features/analysis/server/predictions/scoring/scores.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';

const ROWS = 100_000;
const PROVIDERS = ['venice', 'groq', 'huggingface', 'local'];
const OUTCOMES = ['up', 'flat', 'down'] as const;

function makeRows(): ResolvedRow[] {
  const random = mulberry32(7);
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  return Array.from({ length: ROWS }, () => {
    const [up, flat, down] = [random() + 0.01, random() + 0.01, random() + 0.01];
    const sum = up + flat + down;
    const probabilities: Probabilities = { up: up / sum, flat: flat / sum, down: down / sum };
    return {
      provider: one(PROVIDERS),
      asset: one(SYMBOLS),
      horizon: one(HORIZONS),
      probabilities,
      climatology: UNIFORM,
      persistence: UNIFORM,
      outcome: one(OUTCOMES),
    };
  });
}

type Sums = { n: number; hits: number; brier: number; climatology: number; log: number };

/** Sums per cell in plain objects, the naive implementation. */
function reduceRows(rows: readonly ResolvedRow[]): Record<string, Sums> {
  const brier = (p: Probabilities, outcome: string) =>
    OUTCOMES.reduce((sum, each) => sum + (p[each] - (each === outcome ? 1 : 0)) ** 2, 0);
  return rows.reduce<Record<string, Sums>>((cells, row) => {
    const key = `${row.provider} ${row.asset} ${row.horizon}`;
    const cell = (cells[key] ??= { n: 0, hits: 0, brier: 0, climatology: 0, log: 0 });
    const { up, flat, down } = row.probabilities;
    const called = up > flat && up > down ? 'up' : down > flat && down > up ? 'down' : 'flat';
    cell.n++;
    if (called === row.outcome) cell.hits++;
    cell.brier += brier(row.probabilities, row.outcome);
    cell.climatology += brier(row.climatology, row.outcome);
    cell.log -= Math.log(Math.max(row.probabilities[row.outcome], 1e-3));
    return cells;
  }, {});
}

function compare(ours: readonly CellTally[], theirs: Record<string, Sums>): void {
  if (ours.length !== Object.keys(theirs).length) throw new Error('The cells differ');
  for (const cell of ours) {
    const sums = theirs[`${cell.provider} ${cell.asset} ${cell.horizon}`];
    if (!sums) throw new Error('The cells differ');
    const { n, hits, brier, log } = sums;
    const worst = Math.max(
      Math.abs(cell.n - n),
      Math.abs(cell.hitRate - hits / n),
      Math.abs(cell.brier - brier / n),
      Math.abs(cell.logScore - log / n),
    );
    if (!(worst < 1e-9)) throw new Error(`The scores differ by ${worst}`);
  }
}

const took = (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  work();
  return Promise.resolve(performance.now() - startedAt);
};

async function run({ ci, emit, note }: Context): Promise<void> {
  const rows = makeRows();
  compare(tallyScores(rows), reduceRows(rows));
  const measured = await interleave(
    ci ? 7 : 21,
    () => took(() => tallyScores(rows)),
    () => took(() => reduceRows(rows)),
  );
  note(`${ROWS} resolved predictions: ${measured.subject.toFixed(1)} ms against ${measured.baseline.toFixed(1)} ms`);
  emit({
    name: 'analytics.backtest',
    n: ROWS,
    unit: 'ms',
    subject: measured.subject,
    baseline: measured.baseline,
    ratio: 1 / measured.ratio,
    goal: { atLeast: 1 },
  });
}

export const analyticsBacktest: Benchmark = { names: ['analytics.backtest'], run };
