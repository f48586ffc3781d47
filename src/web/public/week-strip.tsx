import { cx } from '#web/ui/cx.ts';
import { thin } from '#web/ui/spark.tsx';

const BARS = 132;
const FLOOR = 0.1;

export type Step = { at: number; up: boolean; height: number };

/** Each bar is the change since the point before; its height is that change against the largest of the week. */
export function steps(points: readonly number[]): Step[] {
  const shown = thin(points, BARS + 1);
  const moves = shown.slice(1).map((v, i) => v / (shown[i] || v) - 1);
  const largest = Math.max(...moves.map(Math.abs), Number.EPSILON);
  // A square root keeps the quiet hours visible beside one wild one.
  return moves.map((move, at) => ({ at, up: move >= 0, height: Math.max(FLOOR, Math.sqrt(Math.abs(move) / largest)) }));
}

/** The week as a row of bars, one per step between two prices. */
export function WeekStrip({ name, points }: { name: string; points: readonly number[] }) {
  const bars = steps(points);
  if (bars.length < 24) return null;
  const rises = bars.filter(({ up }) => up).length;
  return (
    <figure className="mt-12 sm:mt-16">
      <div className="flex h-20 items-end gap-[2px] sm:h-28 sm:gap-[3px]" aria-hidden="true">
        {bars.map(({ at, up, height }) => (
          <span
            key={at}
            className={cx(
              'flex-1 rounded-[2px]',
              at < bars.length / 2 && 'hidden sm:block',
              up ? 'bg-ink/75' : 'bg-down',
            )}
            style={{ height: `${Math.round(height * 100)}%` }}
          />
        ))}
      </div>
      <figcaption className="num mt-3 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm text-ink-3">
        <span>
          <b className="font-semibold text-ink">{name}, seven days</b>, one bar a step, taller where it moved more
          <span className="sr-only">
            : {rises} of {bars.length} steps up
          </span>
        </span>
        <span className="flex gap-4">
          <span className="flex items-center gap-1.5">
            <span className="h-3 w-1 rounded-[1px] bg-ink/75" aria-hidden="true" />
            Rose
          </span>
          <span className="flex items-center gap-1.5">
            <span className="h-3 w-1 rounded-[1px] bg-down" aria-hidden="true" />
            Fell
          </span>
        </span>
      </figcaption>
    </figure>
  );
}
