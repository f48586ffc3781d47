import { useQuery } from '@tanstack/react-query';
import type { Job } from '#features/operations/contract/jobs.ts';
import { useAddressChoice, useAddressText } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { FailedRunsCard } from './failed-runs-card.tsx';
import { JobRow } from './job-row.tsx';
import { isUnderWay, jobsQuery } from './queries.ts';

const CARD = { id: 'jobs-tab', title: 'Jobs', className: 'min-h-96' };
const HEADS = ['Job', 'Schedule', 'Now', 'Last success', 'Last failure', 'Actions'] as const;
const CHOICES = ['All', 'Failing', 'Running'] as const;
type Choice = (typeof CHOICES)[number];

/** It failed and has not succeeded since, or failed for good within the day. */
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

/** What keeps the product running, for administrators: what failed comes first. */
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
