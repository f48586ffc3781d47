import type { HistoryPoint } from '../contract.ts';
import { monthOf, rate } from './words.ts';

const WIDTH = 160;
const HEIGHT = 44;
const PAD = 4;

/** Pieces of the line between months that exist. */
function pieces(points: readonly HistoryPoint[], x: (i: number) => number, y: (value: number) => number): string[][] {
  const lines: string[][] = [[]];
  for (const [i, { yoy }] of points.entries()) {
    if (yoy === null) lines.push([]);
    else lines.at(-1)?.push(`${x(i).toFixed(1)},${y(yoy).toFixed(1)}`);
  }
  return lines.filter((line) => line.length > 0);
}

/** The year-over-year rate of the last months. A month that does not exist is a gap, never a line across it. */
export function RateChart({ name, points }: { name: string; points: readonly HistoryPoint[] }) {
  const known = points.flatMap(({ yoy }) => (yoy === null ? [] : [yoy]));
  const first = points.find(({ yoy }) => yoy !== null);
  const last = points.findLast(({ yoy }) => yoy !== null);
  if (!first || !last || known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const span = high - low || 1;
  const x = (i: number) => PAD + (i / (points.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - ((value - low) / span) * (HEIGHT - 2 * PAD);
  const gaps = points.filter(({ yoy }) => yoy === null).map(({ period }) => monthOf(period));
  const label = `${name}, year over year: ${rate(first.yoy ?? 0)} in ${monthOf(first.period)}, ${rate(last.yoy ?? 0)} in ${monthOf(last.period)}, between ${rate(low)} and ${rate(high)}${gaps.length > 0 ? `; without ${gaps.join(', ')}` : ''}`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block w-full max-w-72 overflow-visible text-accent"
    >
      <title>{label}</title>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} stroke="currentColor" opacity=".2" />
      {pieces(points, x, y).map((line) =>
        line.length === 1 ? (
          <circle key={line[0]} cx={line[0]?.split(',')[0]} cy={line[0]?.split(',')[1]} r="1.5" fill="currentColor" />
        ) : (
          <polyline
            key={line[0]}
            points={line.join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
        ),
      )}
      <circle
        cx={x(points.lastIndexOf(last)).toFixed(1)}
        cy={y(last.yoy ?? 0).toFixed(1)}
        r="2.5"
        fill="currentColor"
      />
    </svg>
  );
}
