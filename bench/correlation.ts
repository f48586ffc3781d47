import { correlationMatrix } from '#features/market/server/metrics/service/correlation.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';

const SERIES = 200;
const DAYS = 365;

/** Daily log returns with a common factor, the same in every run. */
function createReturns(): Float64Array[] {
  let state = 12_345;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
  const market = Float64Array.from({ length: DAYS }, random);
  return Array.from({ length: SERIES }, () => market.map((move) => 0.03 * move + 0.05 * random()));
}

/** Every pair by the textbook formula. */
function naiveMatrix(rows: readonly Float64Array[]): number[][] {
  const mean = (row: Float64Array) => {
    let sum = 0;
    for (let i = 0; i < row.length; i++) sum += row[i] as number;
    return sum / row.length;
  };
  return rows.map((x) =>
    rows.map((y) => {
      const [meanX, meanY] = [mean(x), mean(y)];
      let [xy, xx, yy] = [0, 0, 0];
      for (let i = 0; i < x.length; i++) {
        const a = (x[i] as number) - meanX;
        const b = (y[i] as number) - meanY;
        xy += a * b;
        xx += a * a;
        yy += b * b;
      }
      return xy / Math.sqrt(xx * yy);
    }),
  );
}

const timeOf = (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  work();
  return Promise.resolve(performance.now() - startedAt);
};

async function run({ ci, emit, note }: Context): Promise<void> {
  const rows = createReturns();
  const [ours, naive] = [correlationMatrix(rows), naiveMatrix(rows).flat()];
  const maxDifference = Math.max(...naive.map((r, i) => Math.abs(r - (ours[i] as number))));
  if (!(maxDifference < 1e-9)) throw new Error(`The matrices differ by ${maxDifference}`);
  const measured = await interleave(
    ci ? 5 : 15,
    () => timeOf(() => correlationMatrix(rows)),
    () => timeOf(() => naiveMatrix(rows)),
  );
  note(`correlation of ${SERIES} series of ${DAYS} days: ${measured.subject.toFixed(1)} ms, budget 60 ms`);
  emit({
    name: 'correlation.matrix',
    n: SERIES,
    unit: 'ms',
    subject: measured.subject,
    baseline: measured.baseline,
    ratio: measured.ratio,
    goal: { atMost: 0.25 },
  });
}

export const correlation: Benchmark = { names: ['correlation.matrix'], run };
