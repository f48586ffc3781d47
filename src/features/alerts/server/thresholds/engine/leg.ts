import type { Leg, LegState } from './types.ts';

export const UNKNOWN = 0;
export const OFF = 1;
export const ON = 2;
export const OFF_ABOVE = 3;
/** Set beside the new state when the value has passed the level and is beyond its margin already: it held for this one value. */
export const PASSED = 4;

export const KINDS = ['above', 'below', 'inside', 'touch'] as const satisfies readonly Leg['kind'][];
export const ABOVE = 0;
export const BELOW = 1;
const INSIDE = 2;

/** A leg whose every level differs from the others, so that each is met by a move towards it. */
export type Levelled = { kind: number; low: number; high: number; outLow: number; outHigh: number };

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  float[0] = value;
  bits[0] = (bits[0] as bigint) + (value > 0 ? 1n : -1n);
  return float[0];
}
export const nextDown = (value: number): number => -nextUp(-value);

export function levelled({ kind, low, high, margin }: Leg): Levelled {
  const leg = { kind: KINDS.indexOf(kind), low, high, outLow: low, outHigh: high };
  if (kind === 'above') return { ...leg, low: Math.min(low, nextDown(high)) };
  if (kind === 'below') return { ...leg, high: Math.max(high, nextUp(low)) };
  return { ...leg, outLow: Math.min(low - margin, nextDown(low)), outHigh: Math.max(high + margin, nextUp(high)) };
}

/** The level at which a rising value meets a leg first, and a falling one; `inside` and `touch` have a second: where they are left behind. */
export const upLevel = (kind: number, low: number, high: number): number => (kind > BELOW ? low : high);
export const downLevel = (kind: number, low: number, high: number): number => (kind > BELOW ? high : low);
export const hasSecondLevel = (kind: number): boolean => kind > BELOW;

/** The state a value leads to, with PASSED where it applies. Nothing but the state and the value decides. */
export function step(
  kind: number,
  state: number,
  value: number,
  low: number,
  high: number,
  outLow: number,
  outHigh: number,
): number {
  if (kind === ABOVE) return value >= high ? ON : value <= low || state === UNKNOWN ? OFF : state;
  if (kind === BELOW) return value <= low ? ON : value >= high || state === UNKNOWN ? OFF : state;
  if (value >= low && value <= high) return ON;
  if (kind === INSIDE) return OFF;
  if (value > high) {
    if (state === OFF) return value >= outHigh ? OFF_ABOVE | PASSED : ON;
    return state === ON && value < outHigh ? ON : OFF_ABOVE;
  }
  if (state === OFF_ABOVE) return value <= outLow ? OFF | PASSED : ON;
  return state === ON && value > outLow ? ON : OFF;
}

export const stateOf = (result: number): LegState => (result & 3) as LegState;
export const holds = (result: number): boolean => result === ON || result > 3;
