import { useQuery } from '@tanstack/react-query';

import { clockTime } from '#shared/format.ts';
import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';

import type { ApiUsage } from '../contract.ts';
import { CallsChart } from './calls-chart.tsx';
import { usageQuery } from './queries.ts';
import { callsText, count, timeLeft } from './words.ts';

const CARD = { id: 'api-usage', title: 'Usage', className: 'min-h-56' };
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
        <p className="num font-medium">{callsText(used)} today, without limit</p>
      ) : (
        <Quota used={used} limit={limit} />
      )}
      <p className="num mt-2 text-ink-2">
        Counted anew at {clockTime(Date.parse(resetsAt))}, in {timeLeft(left)}.
        {burst !== null && ` At most ${callsText(burst)} a second.`}
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
          {count(used)} of {count(limit)} calls today
        </span>
        {isNear && (
          <span className={cx('font-medium', isFull ? 'text-down' : 'text-warn')}>
            {isFull ? 'Used up: calls are refused until then' : `${count(limit - used)} left`}
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Calls of today"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${count(used)} of ${count(limit)}`}
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
      <p className="text-xs text-ink-3">At 80% and at 100% you get a mail.</p>
    </>
  );
}
