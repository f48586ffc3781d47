import { GripHorizontal } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { type Measure, niceStep, toStep } from './numbers.ts';

type Point = readonly [at: number, value: number];
export type Domain = { low: number; high: number };

export const HEIGHT = 176;
const TOP = 14;
const BOTTOM = 24;
/** A level further away than this many spans would flatten the line: it is shown at the edge instead. */
const REACH = 1.2;
const ROOM = 0.14;

/** Value range of the chart: the series with some padding, and the level while it is near. */
export function computeDomain(
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

/** Range of the level: independent of its current value. */
export function valueRange(points: readonly Point[], { signed }: Pick<Measure, 'signed'>): Domain {
  const values = points.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || Math.abs(most) * 0.1 || 1;
  const step = niceStep(span / 100);
  const low = toStep(least - REACH * span * 0.5, step);
  return { low: signed || least < 0 ? low : Math.max(0, low), high: toStep(most + REACH * span * 0.5, step) };
}

/** Keeps the level's handle off the line. */
export const GUTTER = 92;

/** Converts values and times to pixels and back. */
export function createPlot(points: readonly Point[], { low, high }: Domain, width: number) {
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
    /** Increment of an arrow key, and rounding of a drag. */
    step: niceStep((high - low) / 100),
    fine: niceStep((high - low) / 250),
  };
}
type Plot = ReturnType<typeof createPlot>;

/** As an SVG path; a direction is drawn as steps. */
export function linePath(points: readonly Point[], { x, y }: Plot, stepped: boolean): string {
  let path = '';
  for (const [i, [at, value]] of points.entries()) {
    const [px, py] = [x(at).toFixed(1), y(value).toFixed(1)];
    if (i === 0) path = `M${px},${py}`;
    else path += stepped ? `H${px}V${py}` : `L${px},${py}`;
  }
  return path;
}

type Props = {
  label: string;
  value: number;
  /** Ends of the scale. */
  low: number;
  high: number;
  plot: Plot;
  /** Increment of a key press, and rounding of a drag. */
  steps: readonly [key: number, drag: number];
  text: (value: number) => string;
  onChange: (value: number) => void;
  /** The scale must not change during a drag. */
  onDrag: (dragging: boolean) => void;
};

const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

type Drag = { pointer: number; offset: number; before: number };

/** The level as a line, moved by its handle, by the mouse anywhere on it, or by the arrow keys. */
export function LevelSlider({ label, value, low, high, plot, steps, text, onChange, onDrag }: Props) {
  const drag = useRef<Drag | null>(null);
  const handle = useRef<HTMLDivElement>(null);
  const y = plot.y(value);
  const set = (next: number) => onChange(Math.max(low, Math.min(high, next)));

  const start = (event: PointerEvent<HTMLDivElement>) => {
    const onHandle = handle.current?.contains(event.target as Node);
    // Scrolling the page by touch over the line must not move it.
    if (event.button !== 0 || (event.pointerType === 'touch' && !onHandle)) return;
    event.preventDefault();
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    drag.current = { pointer: event.pointerId, offset: event.clientY - (box?.top ?? 0) - y, before: value };
    event.currentTarget.setPointerCapture(event.pointerId);
    handle.current?.focus({ preventScroll: true });
    onDrag(true);
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current?.pointer !== event.pointerId) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    set(toStep(plot.valueAt(event.clientY - (box?.top ?? 0) - drag.current.offset), steps[1]));
  };
  const end = () => {
    drag.current = null;
    onDrag(false);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && drag.current) {
      onChange(drag.current.before);
      return end();
    }
    const by = KEYS[event.key];
    if (by === undefined && event.key !== 'Home' && event.key !== 'End') return undefined;
    event.preventDefault();
    if (by === undefined) set(event.key === 'Home' ? low : high);
    else set(toStep(value + by * steps[0], steps[0]));
    return undefined;
  };

  return (
    <div
      className="level"
      style={{ top: y }}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <span className="level-line" aria-hidden="true" />
      <div
        ref={handle}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuemin={low}
        aria-valuemax={high}
        aria-valuenow={value}
        aria-valuetext={text(value)}
        onKeyDown={onKey}
        className="level-handle num"
      >
        <GripHorizontal className="size-3.5 shrink-0" aria-hidden="true" />
        {text(value)}
      </div>
    </div>
  );
}
