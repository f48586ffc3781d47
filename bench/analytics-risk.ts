import { computeReturnRisk, rollingVolatility } from '#features/analytics/server/risk.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';

const RETURNS = 1_000_000;
const WINDOW = 30;
const REPEATS = 3;
const METRIC_COUNT = 4;

/** Daily returns of a few percent, the same in every run. */
function createReturns(): Float64Array {
  let state = 12_345;
  return Float64Array.from({ length: RETURNS }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648 - 0.5) * 0.1;
  });
}

function plainSum(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}

/** Milliseconds per run. */
const timeOf = (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  for (let i = 0; i < REPEATS; i++) work();
  return Promise.resolve((performance.now() - startedAt) / REPEATS);
};

/** Volatility, Sharpe, Sortino and rolling volatility compared with the same number of loops that only add. */
async function run({ ci, emit, note }: Context): Promise<void> {
  const returns = createReturns();
  const output = new Float64Array(RETURNS - WINDOW + 1);
  const measured = await interleave(
    ci ? 7 : 21,
    () =>
      timeOf(() => {
        computeReturnRisk(returns);
        rollingVolatility(returns, WINDOW, output);
      }),
    () =>
      timeOf(() => {
        for (let i = 0; i < METRIC_COUNT; i++) plainSum(returns);
      }),
  );
  note(`risk of 1 M returns: ${(RETURNS / measured.subject / 1000).toFixed(0)} M a second`);
  emit({
    name: 'analytics.risk',
    n: RETURNS,
    unit: 'ms',
    subject: measured.subject,
    baseline: measured.baseline,
    ratio: 1 / measured.ratio,
    goal: { atLeast: 0.3 },
  });
}

export const analyticsRisk: Benchmark = { names: ['analytics.risk'], run };
