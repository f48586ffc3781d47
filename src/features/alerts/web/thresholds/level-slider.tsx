import { GripHorizontal } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

import { toStep } from './numbers.ts';
import type { Plot } from './plot.ts';

type Props = {
  label: string;
  value: number;
  /** The ends of the scale. */
  low: number;
  high: number;
  plot: Plot;
  /** What one key press moves by, and what a drag is rounded to. */
  steps: readonly [key: number, drag: number];
  text: (value: number) => string;
  onChange: (value: number) => void;
  /** While it is dragged the scale must stand still. */
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

/** The level as a line that is taken by its handle, by the mouse anywhere on it, or by the arrow keys. */
export function LevelSlider({ label, value, low, high, plot, steps, text, onChange, onDrag }: Props) {
  const drag = useRef<Drag | null>(null);
  const handle = useRef<HTMLDivElement>(null);
  const y = plot.y(value);
  const set = (next: number) => onChange(Math.max(low, Math.min(high, next)));

  const start = (event: PointerEvent<HTMLDivElement>) => {
    const onHandle = handle.current?.contains(event.target as Node);
    // A thumb that scrolls the page over the line must not move it.
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
