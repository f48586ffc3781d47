import type { Status, StatusComponent, StatusDay } from '#features/site/contract/status.ts';
import { lengthWords, percentWords } from '#features/site/web/status/words.ts';

type State = Status['state'];

/** Colour and height of a state: both say it. */
const TONES: Record<State, { dot: string; bar: string; height: number }> = {
  operational: { dot: 'bg-up', bar: 'fill-up', height: 32 },
  degraded: { dot: 'bg-warn', bar: 'fill-warn', height: 24 },
  down: { dot: 'bg-down', bar: 'fill-down', height: 16 },
  maintenance: { dot: 'bg-accent', bar: 'fill-accent', height: 24 },
  no_data: { dot: 'bg-line-strong', bar: 'fill-line-strong', height: 4 },
};
export const toneOf = (state: State) => TONES[state];

const BELOW = 99;

function stateOf({ percent }: StatusDay): State {
  if (percent === null) return 'no_data';
  if (percent >= 100) return 'operational';
  return percent >= BELOW ? 'degraded' : 'down';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '21 Nov 2026', of a time or a day. */
export const day = (iso: string): string =>
  `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

function dayWords({ percent, measured, degraded, down }: StatusDay): string {
  if (percent === null) return 'not measured';
  const lapses = [down && `${lengthWords(down)} down`, degraded && `${lengthWords(degraded)} degraded`].filter(Boolean);
  const of = measured < 1440 ? `, of ${lengthWords(measured)}` : '';
  return [percentWords(percent) + of, ...lapses].join(', ');
}

const STEP = 10;
const FULL = 32;

/** A bar a day. */
export function StatusStrip({ component: { name, days } }: { component: StatusComponent }) {
  const measured = days.filter(({ percent }) => percent !== null);
  const well = measured.filter(({ percent }) => percent === 100).length;
  return (
    <>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${FULL}`}
        preserveAspectRatio="none"
        className="mt-4 h-8 w-full"
        role="img"
        aria-label={`${name}: ${measured.length} of ${days.length} days measured, ${well} of them without an interruption`}
      >
        {days.map((each, n) => {
          const { bar, height } = toneOf(stateOf(each));
          return (
            <rect
              key={each.day}
              x={n * STEP + 1}
              y={FULL - height}
              width={STEP - 3}
              height={height}
              rx="1"
              className={bar}
            >
              <title>{`${day(each.day)}: ${dayWords(each)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="label mt-1 flex justify-between" aria-hidden="true">
        <span>{day(days[0]?.day ?? '')}</span>
        <span>Today</span>
      </div>
    </>
  );
}

/** What the bars say, in words. */
export function StatusDays({ component: { id, days } }: { component: StatusComponent }) {
  const measured = days.filter(({ percent }) => percent !== null);
  if (measured.length === 0) return null;
  return (
    <details className="mt-1 text-sm">
      <summary className="label py-2 hover:text-ink">Day by day</summary>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-60 overflow-y-auto"
        role="group"
        aria-labelledby={`component-${id}`}
      >
        <table className="num w-full text-left">
          <thead className="sr-only">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Uptime</th>
            </tr>
          </thead>
          <tbody>
            {measured.toReversed().map((each) => (
              <tr key={each.day} className="border-t border-line">
                <th scope="row" className="py-1 font-medium">
                  {day(each.day)}
                </th>
                <td className="py-1 text-right text-ink-2">{dayWords(each)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
