import { Levels, sortTogether } from './levels.ts';
import { Due } from './schedule.ts';
import { KIND, KIND_SHIFT, MATE, type Series, Slots, STATE } from './slots.ts';
import type { Leg, LegState } from './types.ts';

export const UNKNOWN = 0;
export const OFF = 1;
export const ON = 2;
export const OFF_ABOVE = 3;
/**
 * Set with the new state when the value has passed the level and is already beyond its margin: it held for this one
 * value.
 */
export const PASSED = 4;

export const KINDS = ['above', 'below', 'inside', 'touch'] as const satisfies readonly Leg['kind'][];
export const ABOVE = 0;
export const BELOW = 1;
const INSIDE = 2;

/** A leg with distinct levels, so that each is met by a move towards it. */
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

/**
 * The level at which a rising or falling value first meets a leg; `inside` and `touch` have a second, where they are
 * left.
 */
const upLevel = (kind: number, low: number, high: number): number => (kind > BELOW ? low : high);
const downLevel = (kind: number, low: number, high: number): number => (kind > BELOW ? high : low);
const hasSecondLevel = (kind: number): boolean => kind > BELOW;

/** The next state for a value, with PASSED where it applies. Depends only on state and value. */
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

export const toLegState = (result: number): LegState => (result & 3) as LegState;
export const holds = (result: number): boolean => result === ON || result > 3;

/** The legs of all rules, and the levels at which values of each series meet them. */
export function createLegs() {
  const slots = new Slots();
  const byName = new Map<string, Series>();
  const list: Series[] = [];
  const indexOf = new Map<Series, number>();

  function findSeries(name: string): Series {
    const known = byName.get(name);
    if (known) return known;
    const series: Series = {
      name,
      value: NaN,
      at: -Infinity,
      knownAt: -Infinity,
      rising: new Levels(),
      falling: new Levels(),
      waiting: new Set(),
      due: new Due(),
      legs: 0,
    };
    byName.set(name, series);
    indexOf.set(series, list.push(series) - 1);
    return series;
  }
  const seriesAt = (slot: number) => list[slots.of.series[slot] as number] as Series;

  const readKind = (slot: number) => ((slots.of.status[slot] as number) & KIND) >> KIND_SHIFT;
  /** Adding zero normalises negative zero. */
  const upAt = (slot: number) =>
    upLevel(readKind(slot), slots.of.low[slot] as number, slots.of.high[slot] as number) + 0;
  const downAt = (slot: number) =>
    downLevel(readKind(slot), slots.of.low[slot] as number, slots.of.high[slot] as number) + 0;
  const secondUpAt = (slot: number) => (slots.of.outHigh[slot] as number) + 0;
  const secondDownAt = (slot: number) => (slots.of.outLow[slot] as number) + 0;

  function link(slot: number): void {
    const { rising, falling } = seriesAt(slot);
    rising.insert(upAt(slot), slot);
    falling.insert(downAt(slot), slot);
    if (!hasSecondLevel(readKind(slot))) return;
    rising.insert(secondUpAt(slot), slot);
    falling.insert(secondDownAt(slot), slot);
  }
  function unlink(slot: number): void {
    const { rising, falling } = seriesAt(slot);
    rising.remove(upAt(slot), slot);
    falling.remove(downAt(slot), slot);
    if (!hasSecondLevel(readKind(slot))) return;
    rising.remove(secondUpAt(slot), slot);
    falling.remove(secondDownAt(slot), slot);
  }

  function placeLeg(leg: Leg, state: number, rule: number | null): number {
    const slot = slots.take();
    const series = findSeries(leg.series);
    const { kind, low, high, outLow, outHigh } = levelled(leg);
    const { of } = slots;
    of.status[slot] = state | (kind << KIND_SHIFT) | (rule === null ? 0 : MATE);
    of.series[slot] = indexOf.get(series) as number;
    of.rule[slot] = rule ?? slot;
    of.low[slot] = low;
    of.high[slot] = high;
    of.outLow[slot] = outLow;
    of.outHigh[slot] = outHigh;
    series.legs++;
    return slot;
  }

  function computeResult(slot: number, value: number): number {
    const { status, low, high, outLow, outHigh } = slots.of;
    const of = status[slot] as number;
    return step(
      (of & KIND) >> KIND_SHIFT,
      of & STATE,
      value,
      low[slot] as number,
      high[slot] as number,
      outLow[slot] as number,
      outHigh[slot] as number,
    );
  }

  function removeLeg(slot: number): void {
    const series = seriesAt(slot);
    unlink(slot);
    series.waiting.delete(slot);
    series.legs--;
    slots.release(slot);
  }

  /** The levels of all slots, in slot order, per series. */
  function gather(first: (slot: number) => number, second?: (slot: number) => number) {
    const counts = new Uint32Array(list.length);
    for (let slot = 0; slot < slots.used; slot++) {
      const series = slots.of.series[slot] as number;
      counts[series] = (counts[series] as number) + (second && hasSecondLevel(readKind(slot)) ? 2 : 1);
    }
    const values = Array.from(counts, (count) => new Float64Array(count));
    const owners = Array.from(counts, (count) => new Uint32Array(count));
    counts.fill(0);
    const take = (slot: number, level: number) => {
      const series = slots.of.series[slot] as number;
      const place = counts[series] as number;
      (values[series] as Float64Array)[place] = level;
      (owners[series] as Uint32Array)[place] = slot;
      counts[series] = place + 1;
    };
    for (let slot = 0; slot < slots.used; slot++) {
      take(slot, first(slot));
      if (second && hasSecondLevel(readKind(slot))) take(slot, second(slot));
    }
    return { values, owners };
  }

  /**
   * Sorts all slots by the level at which a rising value meets them, for locality. Returns the new position of each.
   */
  function arrange(): Uint32Array {
    const { values, owners } = gather(upAt);
    const order = new Uint32Array(slots.used);
    let from = 0;
    for (const [i, slotsOf] of owners.entries()) {
      sortTogether(values[i] as Float64Array, slotsOf);
      order.set(slotsOf, from);
      from += slotsOf.length;
    }
    return slots.arrange(order);
  }

  /** Builds the levels of all slots at once. */
  function fillLevels(): void {
    const up = gather(upAt, secondUpAt);
    const down = gather(downAt, secondDownAt);
    for (const [i, { rising, falling }] of list.entries()) {
      rising.fill(up.values[i] as Float64Array, up.owners[i] as Uint32Array);
      falling.fill(down.values[i] as Float64Array, down.owners[i] as Uint32Array);
    }
  }

  return {
    slots,
    byName,
    seriesOf: findSeries,
    seriesAt,
    placeLeg,
    link,
    removeLeg,
    resultOf: computeResult,
    arrange,
    fillLevels,
  };
}
