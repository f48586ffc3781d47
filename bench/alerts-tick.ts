import { createEngine } from '#features/alerts/server/thresholds/engine/engine.ts';
import type { CompiledRule, Engine } from '#features/alerts/server/thresholds/engine/types.ts';

import { compileRule, createRuleSpecs, METRICS, quantile, type RuleSpec, randomWalk } from './alerts-rules.ts';
import { type Benchmark, type Context, median } from './benchmark.ts';

const [BITCOIN, START] = METRICS[0];
const TICKS = 20_000;
const INITIAL_STATE = { first: 0, second: 0, pendingSince: null, lastFiredAt: null, done: false } as const;

function fill(count: number): { engine: Engine; levels: Float64Array; wishes: ReturnType<typeof createRuleSpecs> } {
  const specs = createRuleSpecs(count);
  const engine = createEngine();
  for (const [series, value] of METRICS) engine.recall({ series, value, at: 0 });
  const loading = engine.load();
  for (const [i, spec] of specs.entries()) loading.take({ rule: compileRule(spec, i + 1), state: INITIAL_STATE });
  loading.done();
  // Every rule has the state of the first value.
  for (const [series, value] of METRICS) engine.tick({ series, value, at: 1 });
  const levels = Float64Array.from(
    specs.filter(({ metric }) => metric === BITCOIN),
    ({ value }) => value,
  );
  return { engine, levels, wishes: specs };
}

type TickTimes = { p50: number; p99: number; changed: number; fired: number };

function timeTicks(engine: Engine, prices: Float64Array): TickTimes {
  const times = new Float64Array(prices.length);
  let [changed, fired] = [0, 0];
  for (let i = 0; i < prices.length; i++) {
    const tick = { series: BITCOIN, value: prices[i] as number, at: 1000 * (i + 2) };
    const startedAt = performance.now();
    const changes = engine.tick(tick);
    times[i] = (performance.now() - startedAt) * 1000;
    changed += changes.length;
    for (const change of changes) if (change.fired) fired++;
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), changed, fired };
}

/** Time to compare every level of the metric, in typed arrays. */
function timeScan(levels: Float64Array, prices: Float64Array): number {
  const rounds = Math.max(30, Math.min(prices.length, Math.floor(2e7 / (levels.length + 1))));
  const times = new Float64Array(rounds);
  const state = new Uint8Array(levels.length);
  let before = START as number;
  for (let i = 0; i < rounds; i++) {
    const price = prices[i] as number;
    const startedAt = performance.now();
    for (let j = 0; j < levels.length; j++) {
      const level = levels[j] as number;
      if (before < level !== price < level) state[j] = (state[j] as number) ^ 1;
    }
    times[i] = (performance.now() - startedAt) * 1000;
    before = price;
  }
  return quantile(times, 0.5);
}

/** µs per edit, as the median over batches of a hundred, so that other processes disturb few of them. */
function timeEdits(engine: Engine, specs: ReturnType<typeof createRuleSpecs>): { add: number; remove: number } {
  const count = Math.min(20_000, specs.length);
  const step = Math.floor(specs.length / count);
  const rules = Array.from({ length: count }, (_, i) => compileRule(specs[i * step] as RuleSpec, i * step + 1));
  const timeBatches = (edit: (rule: CompiledRule) => void): number => {
    const times: number[] = [];
    for (let i = 0; i < count; i += 100) {
      const startedAt = performance.now();
      for (let j = i; j < i + 100; j++) edit(rules[j] as CompiledRule);
      times.push((performance.now() - startedAt) * 10);
    }
    return median(times);
  };
  const remove = timeBatches(({ id }) => void engine.remove(id));
  return { remove, add: timeBatches((rule) => void engine.add(rule, INITIAL_STATE)) };
}

function run({ ci, emit, note }: Context): Promise<void> {
  const prices = randomWalk(START, TICKS);
  timeTicks(fill(20_000).engine, prices);
  const medians: number[] = [];
  for (const n of ci ? [1000, 10_000, 100_000] : [1000, 10_000, 100_000, 1_000_000]) {
    const { engine, levels, wishes: specs } = fill(n);
    const tickTimes = timeTicks(engine, prices);
    const scan = timeScan(levels, prices);
    medians.push(tickTimes.p50);
    const perTick = (count: number) => (count / TICKS).toFixed(1);
    note(
      `${n} rules: p50 ${tickTimes.p50.toFixed(1)} µs, p99 ${tickTimes.p99.toFixed(0)} µs, ${perTick(tickTimes.changed)} changed and ${perTick(tickTimes.fired)} fired a tick`,
    );
    const isLarge = n === 1_000_000;
    const reading = { n, unit: 'µs' };
    emit({
      ...reading,
      name: 'alerts.tick',
      subject: tickTimes.p50,
      baseline: scan,
      ratio: scan / tickTimes.p50,
      goal: isLarge ? { atLeast: 500 } : null,
    });
    emit({
      ...reading,
      name: 'alerts.tick.p99',
      subject: tickTimes.p99,
      ratio: tickTimes.p99,
      goal: isLarge ? { atMost: 500 } : null,
    });
    const edits = timeEdits(engine, specs);
    emit({
      ...reading,
      name: 'alerts.edit.add',
      subject: edits.add,
      ratio: edits.add,
      goal: isLarge ? { atMost: 5 } : null,
    });
    emit({
      ...reading,
      name: 'alerts.edit.remove',
      subject: edits.remove,
      ratio: edits.remove,
      goal: isLarge ? { atMost: 5 } : null,
    });
  }
  const growth = (medians.at(-1) as number) / (medians[0] as number);
  emit({ name: 'alerts.tick.growth', n: 1000, unit: 'x', subject: growth, ratio: growth, goal: { atMost: 50 } });
  return Promise.resolve();
}

export const alertsTick: Benchmark = { names: ['alerts.tick', 'alerts.edit'], run };
