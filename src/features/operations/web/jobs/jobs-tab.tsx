import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type Job, runJob } from '#features/operations/contract/jobs.ts';
import { age, dateTime } from '#shared/format.ts';
import { useAddressChoice, useAddressText } from '#ui/address-filter.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { until } from '#ui/until.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { FailedRunsCard } from './failed-runs-card.tsx';
import { isUnderWay, jobsQuery } from './queries.ts';

const two = (n: string) => n.padStart(2, '0');
const listed = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const every = (n: string, unit: string) => (n === '1' ? `Every ${unit}` : `Every ${n} ${unit}s`);
const isList = (field: string) => /^\d+(,\d+)*$/.test(field);
const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

function days(field: string): string | null {
  if (field === '*') return '';
  if (field === '1-5') return ', Monday to Friday';
  if (field === '0,6' || field === '6,0') return ', Saturday and Sunday';
  if (!isList(field)) return null;
  return `, ${listed(field.split(',').map((day) => DAYS[Number(day)] ?? day))}`;
}

function times(minute: string, hour: string): string | null {
  if (hour === '*') {
    if (minute === '*') return 'Every minute';
    const step = /^(?:\*|(\d+)-59)\/(\d+)$/.exec(minute);
    if (step?.[2]) return every(step[2], 'minute') + (step[1] ? `, from :${two(step[1])}` : '');
    if (isList(minute)) return `Hourly at ${listed(minute.split(',').map((each) => `:${two(each)}`))}`;
    return null;
  }
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hour) ?? [];
  if (from && to && isList(minute)) return `Hourly at :${two(minute)}, ${two(from)} to ${two(to)} UTC`;
  const hours = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (hours && isList(minute)) return `${every(hours, 'hour')} at :${two(minute)}`;
  if (isList(hour) && /^\d+$/.test(minute))
    return `Daily at ${listed(hour.split(',').map((each) => `${two(each)}:${two(minute)}`))} UTC`;
  return null;
}

/** A cron expression in words; an unusual one is shown unchanged. */
export function scheduleWords(cron: string): string {
  const [minute = '', hour = '', date, month, weekday = ''] = cron.split(' ');
  const when = date === '*' && month === '*' ? times(minute, hour) : null;
  const on = days(weekday);
  if (when === null || on === null) return cron;
  return on === '' ? when : when.replace('Daily at', 'At') + on;
}

const CELL = 'sm:px-4 sm:py-3 align-top max-sm:w-full';

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

function JobRow({ job }: { job: Job }) {
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

/** Its row shows what is in progress, then the last success or failure. */
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

const CARD = { id: 'jobs-tab', title: 'Jobs', className: 'min-h-96' };
const HEADS = ['Job', 'Schedule', 'Now', 'Last success', 'Last failure', 'Actions'] as const;
const CHOICES = ['All', 'Failing', 'Running'] as const;
type Choice = (typeof CHOICES)[number];

/** It failed and has not succeeded since, or failed permanently within the day. */
const isFailing = ({ failedToday, lastFailure, lastSuccess }: Job) =>
  failedToday > 0 || (lastFailure !== null && (lastSuccess === null || lastFailure.at > lastSuccess.at));
const IN_CHOICE: Record<Choice, (job: Job) => boolean> = {
  All: () => true,
  Failing: isFailing,
  Running: isUnderWay,
};
const NONE: Record<Choice, string> = {
  All: 'No jobs',
  Failing: 'No job is failing',
  Running: 'No job is running',
};

const rank = (job: Job) => (isFailing(job) ? 0 : 1);
const inOrder = (jobs: readonly Job[]) => jobs.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
const matches = ({ name, about }: Job, q: string) => `${name} ${about}`.toLowerCase().includes(q.toLowerCase());

function summary(jobs: readonly Job[]): string {
  const running = jobs.filter((job) => job.running.length > 0).length;
  const failing = jobs.filter(isFailing).length;
  return `${jobs.length} jobs, ${running} running, ${failing === 0 ? 'none' : failing} failing`;
}

/** Background jobs, for administrators: failing ones first. */
export function JobsTab() {
  const query = useQuery(jobsQuery(useToken()));
  const [choice, choose] = useAddressChoice('filter', CHOICES);
  const [q, search] = useAddressText('search');
  return (
    <div className="grid gap-3">
      <FailedRunsCard />
      <QueryView query={query} card={CARD} failed="Failed to load admin data">
        {({ jobs }) => {
          const shown = inOrder(jobs.filter((job) => IN_CHOICE[choice](job) && matches(job, q)));
          return (
            <Card {...CARD} note={<output className="label num">{summary(jobs)}</output>}>
              <div className="flex flex-wrap items-center gap-3 px-4 pt-1 pb-3">
                <Segmented label="Filter jobs" value={choice} options={CHOICES} onChange={choose} />
                <SearchBox label="Search by name or description" value={q} onSearch={search} />
              </div>
              {shown.length === 0 ? (
                <Empty title={q ? 'No jobs found' : NONE[choice]} />
              ) : (
                <table className="w-full text-left text-sm max-sm:block">
                  <TableHead heads={HEADS} />
                  <tbody className="max-sm:block">
                    {shown.map((job) => (
                      <JobRow key={job.name} job={job} />
                    ))}
                  </tbody>
                </table>
              )}
            </Card>
          );
        }}
      </QueryView>
    </div>
  );
}
