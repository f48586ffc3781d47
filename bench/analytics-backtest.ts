import { HORIZONS, type Probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';
import { type CellTally, type ResolvedRow, tallyScores } from '#features/analysis/server/predictions/scoring/all.ts';
import { mulberry32 } from '#features/analysis/server/predictions/scoring/intervals.ts';
import { UNIFORM } from '#features/analysis/server/predictions/scoring/scores.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';

const ROWS = 100_000;
const PROVIDERS = ['venice', 'groq', 'huggingface', 'local'];
const OUTCOMES = ['up', 'flat', 'down'] as const;

function createRows(): ResolvedRow[] {
  const random = mulberry32(7);
  const pickOne = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  return Array.from({ length: ROWS }, () => {
    const [up, flat, down] = [random() + 0.01, random() + 0.01, random() + 0.01];
    const sum = up + flat + down;
    const probabilities: Probabilities = { up: up / sum, flat: flat / sum, down: down / sum };
    return {
      provider: pickOne(PROVIDERS),
      asset: pickOne(SYMBOLS),
      horizon: pickOne(HORIZONS),
      probabilities,
      climatology: UNIFORM,
      persistence: UNIFORM,
      outcome: pickOne(OUTCOMES),
    };
  });
}

type CellSums = { n: number; hits: number; brier: number; climatology: number; log: number };

/** Sums per cell in plain objects, the naive implementation. */
function sumByCell(rows: readonly ResolvedRow[]): Record<string, CellSums> {
  const brier = (p: Probabilities, outcome: string) =>
    OUTCOMES.reduce((sum, each) => sum + (p[each] - (each === outcome ? 1 : 0)) ** 2, 0);
  return rows.reduce<Record<string, CellSums>>((cells, row) => {
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

function compare(actual: readonly CellTally[], naive: Record<string, CellSums>): void {
  if (actual.length !== Object.keys(naive).length) throw new Error('The cells differ');
  for (const cell of actual) {
    const sums = naive[`${cell.provider} ${cell.asset} ${cell.horizon}`];
    if (!sums) throw new Error('The cells differ');
    const { n, hits, brier, log } = sums;
    const maxDifference = Math.max(
      Math.abs(cell.n - n),
      Math.abs(cell.hitRate - hits / n),
      Math.abs(cell.brier - brier / n),
      Math.abs(cell.logScore - log / n),
    );
    if (!(maxDifference < 1e-9)) throw new Error(`The scores differ by ${maxDifference}`);
  }
}

const timeOf = (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  work();
  return Promise.resolve(performance.now() - startedAt);
};

async function run({ ci, emit, note }: Context): Promise<void> {
  const rows = createRows();
  compare(tallyScores(rows), sumByCell(rows));
  const measured = await interleave(
    ci ? 7 : 21,
    () => timeOf(() => tallyScores(rows)),
    () => timeOf(() => sumByCell(rows)),
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
