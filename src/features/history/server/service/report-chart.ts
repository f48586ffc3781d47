import type { HistoryRecord } from '#features/history/contract.ts';
import { valueText } from '#features/history/names.ts';

const [WIDTH, HEIGHT, LEFT, BELOW] = [680, 200, 70, 20];
const COLUMNS = 340;

type Point = Pick<HistoryRecord, 'timestamp' | 'value'>;

/** Of each column of pixels the lowest and the highest, so that no peak is lost. */
function thin(points: readonly Point[]): Point[] {
  if (points.length <= 2 * COLUMNS) return [...points];
  const size = points.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, i) => {
    const part = points.slice(Math.floor(i * size), Math.floor((i + 1) * size));
    const low = part.reduce((a, b) => (b.value < a.value ? b : a));
    const high = part.reduce((a, b) => (b.value > a.value ? b : a));
    return low.timestamp < high.timestamp ? [low, high] : [high, low];
  }).flat();
}

/** A line over time with the lowest and highest value at its side; `points` oldest first, two at least. */
export function chartOf(points: readonly Point[], unit: string): string {
  const shown = thin(points);
  const values = points.map(({ value }) => value);
  const [low, high] = values.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const times = [points[0], points.at(-1)].map((point) => Date.parse(point?.timestamp ?? ''));
  const [first = 0, last = 0] = times;
  const x = (at: string) => LEFT + ((Date.parse(at) - first) / (last - first || 1)) * (WIDTH - LEFT - 4);
  const y = (value: number) => 8 + (1 - (value - low) / (high - low || 1)) * (HEIGHT - BELOW - 16);
  const line = shown.map(({ timestamp, value }) => `${x(timestamp).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const label = (value: number) =>
    `<text x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${valueText(value, unit)}</text><line x1="${LEFT}" x2="${WIDTH}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" class="rule"/>`;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="From ${valueText(low, unit)} to ${valueText(high, unit)}">${label(high)}${low === high ? '' : label(low)}<polyline points="${line}" class="line"/><text x="${LEFT}" y="${HEIGHT - 4}">${day(first)}</text><text x="${WIDTH - 2}" y="${HEIGHT - 4}" text-anchor="end">${day(last)}</text></svg>`;
}
