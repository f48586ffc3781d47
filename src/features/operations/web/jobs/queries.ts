import { queryOptions } from '@tanstack/react-query';
import { type Job, listFailedRuns, listJobs } from '#features/operations/contract/jobs.ts';
import { call } from '#ui/api/client.ts';

const FOLLOWED_MS = 1_500;
const QUIET_MS = 10_000;

export const isUnderWay = ({ running, waiting }: Job): boolean => running.length + waiting > 0;

/** Refetched often while something runs: most jobs take moments. */
export const jobsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['admin-jobs', token],
    queryFn: ({ signal }) => call(listJobs, {}, signal),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnderWay) ? FOLLOWED_MS : QUIET_MS),
  });

export const failedRunsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['admin-failed-runs', token],
    queryFn: ({ signal }) => call(listFailedRuns, {}, signal),
    refetchInterval: QUIET_MS,
  });
