import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { HistoryRecord } from '#features/exports/contract/history.ts';
import { unitText, valueText } from '#features/exports/contract/history-names.ts';
import { dateTime } from '#shared/format.ts';
import { dayOf } from '#ui/day.ts';

const [WIDTH, HEIGHT, PAD] = [600, 160, 10];
const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

export type Point = Pick<HistoryRecord, 'timestamp' | 'symbol' | 'value' | 'unit'>;
type Scale = { x: (point: Point) => number; y: (point: Point) => number; low: number; high: number };

function createScale(points: readonly Point[]): Scale {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const first = Date.parse(points[0]?.timestamp ?? '');
  const span = Date.parse(points.at(-1)?.timestamp ?? '') - first || 1;
  return {
    low,
    high,
    x: ({ timestamp }) => ((Date.parse(timestamp) - first) / span) * WIDTH,
    y: ({ value }) => PAD + (1 - (value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD),
  };
}

const nearest = (points: readonly Point[], { x }: Scale, at: number): number =>
  points.reduce((best, point, i) => {
    const closest = points[best];
    return closest && Math.abs(x(point) - at) < Math.abs(x(closest) - at) ? i : best;
  }, 0);

type Props = {
  points: readonly Point[];
  /** Formats a value with its unit. */
  text?: (value: number, unit: string) => string;
  /** Formats the time of a value. */
  moment?: (timestamp: string) => string;
  /** Values further apart are not connected. */
  gapMs?: number;
};

const withUnit = (value: number, unit: string) => `${valueText(value, unit)}${unitText(unit) && ` ${unitText(unit)}`}`;

const minuteTime = (timestamp: string) => dateTime(Date.parse(timestamp)).replace(/:\d\d UTC$/, ' UTC');

/** Splits the line at gaps. */
function splitAtGaps(points: readonly Point[], gapMs: number): Point[][] {
  const parts: Point[][] = [];
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    const isJoined = before && Date.parse(point.timestamp) - Date.parse(before.timestamp) <= gapMs;
    if (isJoined) parts.at(-1)?.push(point);
    else parts.push([point]);
  }
  return parts;
}

/** A line of one series, oldest first; pointer and arrow keys inspect its values. */
export function LineChart({ points, text, moment = minuteTime, gapMs = Number.POSITIVE_INFINITY }: Props) {
  const [picked, setPicked] = useState<number | null>(null);
  const last = points.length - 1;
  const at = Math.min(picked ?? last, last);
  const read = points[at];
  if (!read || points.length < 2) return <p className="label px-4 pb-4">Not enough values for a chart.</p>;
  const scale = createScale(points);
  const place = (point: Point) => `${scale.x(point).toFixed(1)},${scale.y(point).toFixed(1)}`;
  const lines = splitAtGaps(points, gapMs).map((part) => ({
    line: part.map(place).join(' '),
    from: scale.x(part[0] ?? read).toFixed(1),
    to: scale.x(part.at(-1) ?? read).toFixed(1),
  }));

  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setPicked(nearest(points, scale, ((event.clientX - box.left) / (box.width || 1)) * WIDTH));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    setPicked(Math.max(0, Math.min(last, step(at, last))));
  };
  const { unit, symbol } = read;
  const shown = (text ?? withUnit)(read.value, unit);
  const end = text ?? valueText;
  const time = moment(read.timestamp);
  return (
    <div className="px-4 pb-3">
      <p className="num flex flex-wrap items-baseline gap-x-3 text-sm">
        <b className="text-lg font-semibold">{shown}</b>
        <span className="text-ink-3">{time}</span>
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${symbol} over time`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${time}: ${shown}`}
        onPointerMove={onMove}
        onPointerLeave={() => setPicked(null)}
        onKeyDown={onKey}
        className="relative mt-2 rounded-ctl"
        style={{ touchAction: 'pan-y' }}
      >
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="block h-40 w-full overflow-visible text-accent"
        >
          {lines.map(({ line, from, to }) => (
            <g key={from}>
              <polygon points={`${from},${HEIGHT} ${line} ${to},${HEIGHT}`} fill="currentColor" opacity=".1" />
              <polyline
                points={line}
                fill="none"
                stroke="currentColor"
                strokeWidth="1.5"
                vectorEffect="non-scaling-stroke"
                strokeLinejoin="round"
              />
            </g>
          ))}
          {picked !== null && (
            <line
              x1={scale.x(read)}
              x2={scale.x(read)}
              y1="0"
              y2={HEIGHT}
              stroke="currentColor"
              vectorEffect="non-scaling-stroke"
              strokeDasharray="3 3"
            />
          )}
        </svg>
        <span
          className="absolute size-1.5 rounded-full bg-accent"
          aria-hidden="true"
          style={{
            left: `calc(${(scale.x(read) / WIDTH) * 100}% - 3px)`,
            top: `calc(${(scale.y(read) / HEIGHT) * 100}% - 3px)`,
          }}
        />
      </div>
      <p className="num label mt-1.5 flex justify-between gap-3">
        <span>{dayOf((points[0] ?? read).timestamp)}</span>
        <span>
          Low {end(scale.low, unit)} · High {end(scale.high, unit)}
        </span>
        <span>{dayOf((points.at(-1) ?? read).timestamp)}</span>
      </p>
    </div>
  );
}
