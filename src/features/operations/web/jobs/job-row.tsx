import { useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type Job, runJob } from '#features/operations/contract/jobs.ts';
import { age, dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { until } from '#ui/until.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { isUnderWay } from './queries.ts';
import { scheduleWords } from './schedule-words.ts';

const CELL = 'sm:px-4 sm:py-3 align-top max-sm:w-full';

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export function JobRow({ job }: { job: Job }) {
  const now = useNow();
  const { name, about, schedule, nextRunAt, lastSuccess, lastFailure, failedToday } = job;
  const time = (at: string) => (
    <time dateTime={at} title={dateTime(Date.parse(at))} className="whitespace-nowrap">
      {age(now - Date.parse(at))}
    </time>
  );
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:grid max-sm:gap-2 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'font-normal')}>
        <span id={`job-${name}`} className="num block font-semibold break-all">
          {name}
        </span>
        <span className="block text-xs text-ink-2">{about}</span>
      </th>
      <td className={CELL}>
        {schedule.length === 0 && <span className="block text-ink-3">On demand</span>}
        {schedule.map((cron) => (
          <span key={cron} className="block" title={`${cron} (UTC)`}>
            {scheduleWords(cron)}
          </span>
        ))}
        {nextRunAt && <span className="num label">next {until(Date.parse(nextRunAt) - now)}</span>}
      </td>
      <td className={CELL}>
        <Now job={job} />
      </td>
      <td className={cx(CELL, 'num')}>
        <span className="label sm:hidden">Last success </span>
        {lastSuccess ? (
          <>
            {time(lastSuccess.at)} <span className="label whitespace-nowrap">{duration(lastSuccess.ms)}</span>
          </>
        ) : (
          <span className="text-ink-3">Never</span>
        )}
      </td>
      <td className={cx(CELL, 'num')}>
        <span className="label sm:hidden">Last failure </span>
        {lastFailure ? time(lastFailure.at) : <span className="text-ink-3">Never</span>}{' '}
        {failedToday > 0 && <Badge tone="down">{failedToday} in 24h</Badge>}
        {lastFailure && (
          <span className="block text-xs whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
            {lastFailure.error}
          </span>
        )}
      </td>
      <td className={cx(CELL, 'sm:text-right')}>
        <Run job={job} />
      </td>
    </tr>
  );
}

function Now({ job: { running, waiting } }: { job: Job }) {
  const now = useNow();
  if (running.length + waiting === 0) return <span className="text-ink-3">Idle</span>;
  return (
    <>
      {running.map(({ since, worker }) => (
        <span key={`${since} ${worker}`} className="block">
          <Badge tone="accent">Running</Badge>{' '}
          <span className="num label [overflow-wrap:anywhere]">
            since {age(now - Date.parse(since))}
            {worker && ` on ${worker}`}
          </span>
        </span>
      ))}
      {waiting > 0 && <Badge>{waiting} waiting</Badge>}
    </>
  );
}

/** Its row follows it: what is under way, then its last success or failure. */
function Run({ job }: { job: Job }) {
  const { name, notByHand } = job;
  const queries = useQueryClient();
  const { busy, failure, submit } = useSubmit('Failed to run the job', async (signal) => {
    await call(runJob, { params: { name } }, signal);
    await queries.invalidateQueries({ queryKey: ['admin-jobs'] });
  });
  if (notByHand) return <span className="text-xs text-ink-2">{notByHand}</span>;
  const underWay = busy || isUnderWay(job);
  return (
    <>
      <Button
        aria-describedby={`job-${name}`}
        aria-disabled={underWay}
        onClick={() => !underWay && void submit()}
        className="aria-disabled:opacity-60 max-sm:h-10"
      >
        <Play className="size-3.5" aria-hidden="true" />
        {underWay ? 'Running...' : 'Run now'}
      </Button>
      {failure && (
        <p role="alert" className="text-sm font-medium text-down">
          {failure.message}
        </p>
      )}
    </>
  );
}
