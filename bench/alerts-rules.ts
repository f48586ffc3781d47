import type { CompiledRule, Leg } from '#features/alerts/server/thresholds/engine/types.ts';

export const METRICS = [
  ['btc_price', 90_000],
  ['eth_price', 3000],
  ['sol_price', 130],
  ['ssr', 5.2],
  ['btc_dominance', 57],
  ['exchange_flow', 1200],
  ['fear_greed', 55],
  ['vix', 18],
  ['dxy', 103],
  ['volume_24h', 9e10],
] as const;
const HYSTERESIS = 0.002;

export function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  return { next, gauss: normal };
}

export type RuleSpec = { metric: string; condition: 'above' | 'below' | 'equals'; value: number };

/** Half of them on the price of Bitcoin, mostly at round numbers, as in real rules. */
export function createRuleSpecs(count: number): RuleSpec[] {
  const { next, gauss: normal } = createRandom(7);
  return Array.from({ length: count }, (): RuleSpec => {
    const [metric, typicalValue] = METRICS[
      next() < 0.5 ? 0 : 1 + Math.floor(next() * (METRICS.length - 1))
    ] as (typeof METRICS)[number];
    const kind = next();
    const level = typicalValue * Math.exp(normal() * 0.15);
    const value = metric === 'btc_price' && next() < 0.6 ? Math.round(level / 500) * 500 : level;
    return { metric, condition: kind < 0.47 ? 'above' : kind < 0.94 ? 'below' : 'equals', value };
  });
}

function compileLeg({ metric, condition, value }: RuleSpec): Leg {
  const margin = value * HYSTERESIS;
  if (condition === 'above') return { series: metric, kind: 'above', low: value - margin, high: value, margin };
  if (condition === 'below') return { series: metric, kind: 'below', low: value, high: value + margin, margin };
  return { series: metric, kind: 'touch', low: value - 0.005, high: value + 0.005, margin };
}

export const compileRule = (spec: RuleSpec, id: number): CompiledRule => ({
  id,
  userId: 1 + (id % 50_000),
  version: 1,
  legs: [compileLeg(spec)],
  once: false,
  cooldownMs: 60_000,
  holdMs: 0,
  expiresAt: null,
  schedule: null,
});

/** A price that moves by five basis points per tick around its start. */
export function randomWalk(start: number, count: number): Float64Array {
  const { gauss: normal } = createRandom(11);
  let price = start;
  return Float64Array.from({ length: count }, () => {
    price *= Math.exp(normal() * 0.0005 - Math.log(price / start) * 0.001);
    return price;
  });
}

export function quantile(values: Float64Array, share: number): number {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
