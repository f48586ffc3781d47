import { createEngine } from './engine.ts';
import type { CompiledRule, RuleState, Tick } from './types.ts';

export type Replay = {
  /** [source time, value of the first series] of each fire. */
  fires: [number, number][];
  /** Crossings suppressed by cooldown, schedule or expiry. */
  silenced: number;
  /**
   * How often the bare condition became true, without margin, cooldown, hold time, schedule or expiry, in every mode.
   */
  crossings: number;
};

const bare = (rule: CompiledRule): CompiledRule => ({
  ...rule,
  legs: rule.legs.map((leg) => {
    if (leg.kind === 'above') return { ...leg, low: leg.high };
    if (leg.kind === 'below') return { ...leg, high: leg.low };
    return { ...leg, margin: 0 };
  }),
  once: false,
  cooldownMs: 0,
  holdMs: 0,
  expiresAt: null,
  schedule: null,
});

/** Backtests a rule: the live engine on past values, in time order. */
export function replay(rule: CompiledRule, ticks: Iterable<Tick>, state: RuleState): Replay {
  const engine = createEngine();
  const raw = createEngine();
  const first = rule.legs[0]?.series ?? '';
  engine.add(rule, state);
  raw.add(bare(rule), state);
  const result: Replay = { fires: [], silenced: 0, crossings: 0 };
  for (const tick of ticks) {
    for (const { fired, silenced } of engine.tick(tick)) {
      if (fired) result.fires.push([tick.at, engine.value(first)?.value ?? tick.value]);
      if (silenced) result.silenced++;
    }
    for (const { fired } of raw.tick(tick)) if (fired) result.crossings++;
  }
  return result;
}
