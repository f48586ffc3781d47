import type { FailedRun, Job } from '#features/operations/contract/jobs.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

export const jobOf = (name: string, change: Partial<Job> = {}): Job => ({
  name,
  about: `What ${name} does`,
  schedule: ['*/5 * * * *'],
  nextRunAt: iso(240),
  running: [],
  waiting: 0,
  lastSuccess: { at: iso(-60), ms: 840 },
  lastFailure: null,
  failedToday: 0,
  notByHand: null,
  ...change,
});

export const failedRunOf = (change: Partial<FailedRun> = {}): FailedRun => ({
  id: '0199b0aa-0000-7000-8000-000000000001',
  name: 'market.backfill',
  payload: '{"coinId":"bitcoin"}',
  error: 'OKX answered 503\nat its candles',
  tries: 9,
  failedAt: iso(-180),
  ...change,
});

export const jobList = (change: Partial<Job> = {}) => ({
  timestamp: iso(0),
  jobs: [
    jobOf('auth.retention', { schedule: ['17 * * * *'], lastSuccess: { at: iso(-60), ms: 12_340 } }),
    jobOf('exports.make', { running: [{ since: iso(-5), worker: 'desk:41' }], waiting: 2 }),
    jobOf('market.backfill', {
      schedule: [],
      nextRunAt: null,
      lastSuccess: null,
      lastFailure: { at: iso(-180), error: 'OKX answered 503' },
      failedToday: 3,
      notByHand: 'This job needs input and is started by the system.',
    }),
    jobOf('market.listing', change),
  ],
});
