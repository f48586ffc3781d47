import { useQuery } from '@tanstack/react-query';
import type { ApiUsage } from '#features/api/contract/api-keys.ts';
import { clockTime, grouped } from '#shared/format.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { callsText, timeLeft } from './labels.ts';
import { usageQuery } from './queries.ts';

type Days = ApiUsage['days'];

const HEIGHT = 96;
const dayName = (day: string) => dayOf(`${day}T00:00:00Z`);

/** A bar per day, and the same as a table. */
function CallsChart({ days }: { days: Days }) {
  const most = Math.max(1, ...days.map(({ calls, refused }) => calls + refused));
  const all = days.reduce((sum, { calls }) => sum + calls, 0);
  const refusals = days.reduce((sum, { refused }) => sum + refused, 0);
  const first = days[0];
  const height = (calls: number) => (calls > 0 ? `${Math.max(2, (calls / most) * HEIGHT)}px` : '0');
  const summary = `${callsText(all)} in the last ${days.length} days${refusals > 0 ? `, ${grouped(refusals)} refused` : ''}`;
  return (
    <div className="border-t border-line px-4 py-3">
      <h3 className="text-sm font-medium">Calls per day</h3>
      <p className="num text-xs text-ink-3">{summary}</p>
      <div
        role="img"
        aria-label={`Calls per day: ${summary}, peak ${grouped(most)}`}
        className="mt-3 flex items-end gap-[2px] border-b border-line-strong"
        style={{ height: HEIGHT }}
      >
        {days.map(({ day, calls, refused }) => (
          <span
            key={day}
            title={`${dayName(day)}: ${callsText(calls)}${refused > 0 ? `, ${grouped(refused)} refused` : ''}`}
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
      <caption className="sr-only">Calls per day, newest first</caption>
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
            <td className="py-2 text-right">{grouped(calls)}</td>
            <td className="py-2 text-right">{grouped(refused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CARD = { id: 'api-usage', title: 'Usage', className: 'min-h-98' };
const MINUTE_MS = 60_000;

export function UsageCard() {
  const query = useQuery(usageQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your usage">
      {(usage) => (
        <Card {...CARD}>
          <Today usage={usage} />
          <CallsChart days={usage.days} />
        </Card>
      )}
    </QueryView>
  );
}

function Today({ usage: { limit, burst, used, resetsAt } }: { usage: ApiUsage }) {
  const left = Date.parse(resetsAt) - useNow(MINUTE_MS);
  return (
    <div className="px-4 pb-4 text-sm">
      {limit === null ? (
        <p className="num font-medium">{callsText(used)} today, unlimited</p>
      ) : (
        <Quota used={used} limit={limit} />
      )}
      <p className="num mt-2 text-ink-2">
        Resets at {clockTime(Date.parse(resetsAt))}, in {timeLeft(left)}.
        {burst !== null && ` Up to ${callsText(burst)} per second.`}
      </p>
    </div>
  );
}

function Quota({ used, limit }: { used: number; limit: number }) {
  const share = Math.min(100, (used / limit) * 100);
  const isFull = used >= limit;
  const isNear = used >= limit * 0.8;
  return (
    <>
      <p className="num flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-base font-medium">
          {grouped(used)} of {grouped(limit)} calls today
        </span>
        {isNear && (
          <span className={cx('font-medium', isFull ? 'text-down' : 'text-warn')}>
            {isFull ? 'Quota used up. Calls are rejected until it resets' : `${grouped(limit - used)} left`}
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Calls today"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${grouped(used)} of ${grouped(limit)}`}
        className="relative mt-2 h-2 overflow-hidden rounded-full bg-raised"
      >
        <div
          className="h-2 rounded-full bg-accent"
          style={{
            width: `${share.toFixed(1)}%`,
            ...(isNear && { background: isFull ? 'var(--down)' : 'var(--warn)' }),
          }}
        />
        <span className="absolute inset-y-0 w-px bg-ink" style={{ left: '80%' }} aria-hidden="true" />
      </div>
      <p className="label num relative mt-1 h-4" aria-hidden="true">
        <span className="absolute" style={{ left: '80%', translate: '-50%' }}>
          80%
        </span>
        <span className="absolute right-0">100%</span>
      </p>
      <p className="text-xs text-ink-3">We email you at 80% and 100%.</p>
    </>
  );
}
