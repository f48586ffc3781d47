import { dayOf } from '#web/ui/day.ts';

import type { ApiUsage } from '../contract.ts';
import { callsText, count } from './words.ts';

type Days = ApiUsage['days'];

const HEIGHT = 96;
const dayName = (day: string) => dayOf(`${day}T00:00:00Z`);

/** A bar a day, and the same as a table. */
export function CallsChart({ days }: { days: Days }) {
  const most = Math.max(1, ...days.map(({ calls, refused }) => calls + refused));
  const all = days.reduce((sum, { calls }) => sum + calls, 0);
  const refusals = days.reduce((sum, { refused }) => sum + refused, 0);
  const first = days[0];
  const height = (calls: number) => (calls > 0 ? `${Math.max(2, (calls / most) * HEIGHT)}px` : '0');
  const told = `${callsText(all)} in the last ${days.length} days${refusals > 0 ? `, ${count(refusals)} refused` : ''}`;
  return (
    <div className="border-t border-line px-4 py-3">
      <h3 className="text-sm font-medium">Calls per day</h3>
      <p className="num text-xs text-ink-3">{told}</p>
      <div
        role="img"
        aria-label={`Calls per day: ${told}, at most ${count(most)} on a day`}
        className="mt-3 flex items-end gap-[2px] border-b border-line-strong"
        style={{ height: HEIGHT }}
      >
        {days.map(({ day, calls, refused }) => (
          <span
            key={day}
            title={`${dayName(day)}: ${callsText(calls)}${refused > 0 ? `, ${count(refused)} refused` : ''}`}
            className="flex h-full min-w-0 flex-1 flex-col justify-end"
          >
            <span
              className="block rounded-[2px] bg-warn"
              style={{ height: height(refused), background: 'var(--warn)' }}
            />
            <span className="block rounded-[2px] bg-accent" style={{ height: height(calls) }} />
          </span>
        ))}
      </div>
      <p className="label num mt-1 flex justify-between" aria-hidden="true">
        <span>{first && dayName(first.day)}</span>
        <span>Today</span>
      </p>
      <details className="mt-1 text-sm">
        <summary className="inline-flex min-h-9 cursor-pointer items-center font-medium text-accent">
          As a table
        </summary>
        <DaysTable days={days} />
      </details>
    </div>
  );
}

function DaysTable({ days }: { days: Days }) {
  return (
    <table className="num w-full text-sm">
      <caption className="sr-only">Calls per day, the newest first</caption>
      <thead>
        <tr className="border-b border-line">
          {['Day (UTC)', 'Calls', 'Refused'].map((head, i) => (
            <th key={head} scope="col" className={i === 0 ? 'label py-2 text-left' : 'label py-2 text-right'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, calls, refused }) => (
          <tr key={day} className="border-b border-line">
            <th scope="row" className="py-2 text-left font-medium">
              {dayName(day)}
            </th>
            <td className="py-2 text-right">{count(calls)}</td>
            <td className="py-2 text-right">{count(refused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
