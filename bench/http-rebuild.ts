import type { Benchmark, Context } from './benchmark.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

type Stalls = { clockMs: number[]; cpuMs: number[] };

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;

/** How long a rebuild of all read models blocks the event loop: the longest stall of each rebuild. */
async function run(context: Context): Promise<void> {
  const product = await startProduct(context, await startFilledDatabase(context), { frozen: true });
  const rebuilds = context.ci ? 60 : 200;
  await product.call<Stalls>('rebuild', 30);
  const { clockMs, cpuMs } = await product.call<Stalls>('rebuild', rebuilds);
  const words = (values: number[]) =>
    [0.5, 0.99].map((share) => percentile(values, share).toFixed(1)).join(' ms at the median, p99 ');
  context.note(`longest stall of a rebuild, on the clock ${words(clockMs)} ms; in CPU time ${words(cpuMs)} ms`);
  const p99 = percentile(cpuMs, 0.99);
  context.emit({
    name: 'http.rebuild',
    n: rebuilds,
    unit: 'CPU ms stall p99',
    subject: p99,
    ratio: p99,
    goal: { atMost: 5 },
  });
}

export const httpRebuild: Benchmark = { names: ['http.rebuild'], run };
