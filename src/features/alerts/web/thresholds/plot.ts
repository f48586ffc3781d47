import { type Measure, niceStep, toStep } from './numbers.ts';

type Point = readonly [at: number, value: number];
export type Domain = { low: number; high: number };

export const HEIGHT = 176;
const TOP = 14;
const BOTTOM = 24;
/** A level this many spans away would flatten the line: it is shown at the edge instead. */
const REACH = 1.2;
const ROOM = 0.14;

/** Values the chart shows: the series with some room, and the level while it is near. */
export function domainOf(
  points: readonly Point[],
  level: number | null,
  { unit, signed }: Pick<Measure, 'unit' | 'signed'>,
): Domain {
  if (unit === 'direction') return { low: -1.35, high: 1.35 };
  const values = points.map(([, value]) => value);
  let low = Math.min(...values);
  let high = Math.max(...values);
  const span = high - low || Math.abs(high) * 0.1 || 1;
  if (level !== null && level > low - REACH * span && level < high + REACH * span) {
    low = Math.min(low, level);
    high = Math.max(high, level);
  }
  const room = (high - low || span) * ROOM;
  return { low: signed || low < 0 ? low - room : Math.max(0, low - room), high: high + room };
}

/** How far the level can be moved: the same wherever it stands. */
export function rangeOf(points: readonly Point[], { signed }: Pick<Measure, 'signed'>): Domain {
  const values = points.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || Math.abs(most) * 0.1 || 1;
  const step = niceStep(span / 100);
  const low = toStep(least - REACH * span * 0.5, step);
  return { low: signed || least < 0 ? low : Math.max(0, low), high: toStep(most + REACH * span * 0.5, step) };
}

/** Keeps the handle of the level off the line. */
export const GUTTER = 92;

/** From values and times to pixels and back. */
export function plotOf(points: readonly Point[], { low, high }: Domain, width: number) {
  const from = points[0]?.[0] ?? 0;
  const to = points.at(-1)?.[0] ?? 1;
  const tall = HEIGHT - TOP - BOTTOM;
  const x = (at: number) => ((at - from) / (to - from || 1)) * width;
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * tall;
  return {
    from,
    to,
    x,
    y: (value: number) => Math.max(TOP, Math.min(TOP + tall, y(value))),
    valueAt: (py: number) => low + (1 - (py - TOP) / tall) * (high - low),
    bottom: TOP + tall,
    top: TOP,
    /** What an arrow key moves by, and what a drag is rounded to. */
    step: niceStep((high - low) / 100),
    fine: niceStep((high - low) / 250),
  };
}
export type Plot = ReturnType<typeof plotOf>;

/** As an SVG path; a direction holds until the next one. */
export function pathOf(points: readonly Point[], { x, y }: Plot, stepped: boolean): string {
  let path = '';
  for (const [i, [at, value]] of points.entries()) {
    const [px, py] = [x(at).toFixed(1), y(value).toFixed(1)];
    if (i === 0) path = `M${px},${py}`;
    else path += stepped ? `H${px}V${py}` : `L${px},${py}`;
  }
  return path;
}
