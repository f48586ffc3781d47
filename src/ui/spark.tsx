import { cx } from './cx.ts';

const MAX_POINTS = 42;

/** Keeps the first and last point and picks evenly between: a 104 px line shows no more. */
export function thin(points: readonly number[], max = MAX_POINTS): number[] {
  if (points.length <= max) return [...points];
  return Array.from({ length: max }, (_, i) => points[Math.round((i * (points.length - 1)) / (max - 1))] ?? 0);
}

type Props = {
  points: readonly number[];
  width?: number;
  height?: number;
  className?: string;
  /** For a series whose rise is neither good nor bad. */
  neutral?: boolean;
};

export function Spark({ points, width = 104, height = 28, className, neutral = false }: Props) {
  const shown = thin(points);
  if (shown.length < 2) return null;
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low || 1;
  const last = shown.length - 1;
  const line = shown
    .map((v, i) => `${Math.round((i / last) * width)},${(height - 2 - ((v - low) / span) * (height - 4)).toFixed(1)}`)
    .join(' ');
  const rose = (shown[last] ?? 0) >= (shown[0] ?? 0);
  const tone = rose ? 'text-up' : 'text-down';
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={className ? undefined : width}
      height={className ? undefined : height}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={cx('block overflow-visible', neutral ? 'text-accent' : tone, className)}
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="currentColor" opacity=".1" />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
