import type { Levels } from './levels.ts';

const HOUR_MS = 3_600_000;

/** State of a condition: the active level, and the last one alerted. */
export type Gate = { step: number; toldStep: number; toldAt: Date | null };

/** The level that was passed last, and whether it was passed upwards in strength. */
export type Crossing = { step: number; index: number; level: number; isOut: boolean };

/** How many levels hold: one is reached at its raise level and left at its clear level. */
export function stepOf({ raise, clear, below }: Levels, value: number, held: number): number {
  const strengthOf = (level: number) => (below ? -level : level);
  const strength = strengthOf(value);
  const reached = raise.filter((level) => strength >= strengthOf(level)).length;
  let kept = Math.min(held, clear.length);
  while (kept > reached && strength <= strengthOf(clear[kept - 1] as number)) kept -= 1;
  return Math.max(reached, kept);
}

/** Effect of a value on a gate: its new state, if changed, and the alert to raise. */
export function pass(
  before: Gate | undefined,
  levels: Levels,
  value: number,
  at: Date,
): { next: Gate; crossing: Crossing | null } | null {
  const { raise, tellsFirst, bothWays, cooldownHours } = levels;
  const held = before?.step ?? 0;
  const step = stepOf(levels, value, held);
  if (!before && !tellsFirst) return { next: { step, toldStep: step, toldAt: null }, crossing: null };
  if (step === held) return null;
  const isOut = step > held;
  const { toldStep, toldAt } = before ?? { toldStep: 0, toldAt: null };
  const hasCooled = !toldAt || at.getTime() - toldAt.getTime() >= cooldownHours * HOUR_MS;
  const isFurther = bothWays ? Math.abs(step - toldStep) > 1 : step > toldStep;
  const isTold = (isOut || bothWays === true) && (hasCooled || isFurther);
  if (!isTold) return { next: { step, toldStep, toldAt }, crossing: null };
  const index = isOut ? step - 1 : step;
  return {
    next: { step, toldStep: step, toldAt: at },
    crossing: { step, index, level: raise[index] as number, isOut },
  };
}
