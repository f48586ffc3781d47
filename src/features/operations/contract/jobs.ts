import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

const uuid = z.object({ id: z.uuid('must be the id of a run') });

/** A background job. Times are by the database clock. */
export const job = z.object({
  name: z.string(),
  about: z.string(),
  /** UTC cron expressions; empty for a job without a schedule. */
  schedule: z.array(z.string()),
  nextRunAt: z.nullable(z.iso.datetime()),
  /** `worker` is 'host:process'; null until it has reported. */
  running: z.array(z.object({ since: z.iso.datetime(), worker: z.nullable(z.string()) })),
  waiting: z.int(),
  lastSuccess: z.nullable(z.object({ at: z.iso.datetime(), ms: z.int() })),
  /** `error`: the first lines of its output. */
  lastFailure: z.nullable(z.object({ at: z.iso.datetime(), error: z.string() })),
  /** Permanently failed runs within 24 hours. */
  failedToday: z.int(),
  /** Why it cannot be run manually; null when it can. */
  notByHand: z.nullable(z.string()),
});
export type Job = z.infer<typeof job>;

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  access: 'admin',
  reply: z.object({ timestamp: z.iso.datetime(), jobs: z.array(job) }),
});

export const failedRun = z.object({
  id: z.string(),
  name: z.string(),
  /** JSON without secrets; null when there was no payload. */
  payload: z.nullable(z.string()),
  error: z.string(),
  tries: z.int(),
  failedAt: z.iso.datetime(),
});
export type FailedRun = z.infer<typeof failedRun>;

/** Maximum list length. */
export const MAX_FAILED = 50;

/** The newest `MAX_FAILED` permanently failed runs; the queue retains them for a day. */
export const listFailedRuns = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/failed',
  access: 'admin',
  reply: z.object({ runs: z.array(failedRun), total: z.int() }),
});

/** 409 while it is already queued or running. */
export const runJob = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/:name/run',
  access: 'admin',
  params: z.object({ name: z.string().check(z.maxLength(100)) }),
  reply: z.object({ id: z.string() }),
});

/** Restarts a failed run with its payload. 409 when it no longer exists or is in progress. */
export const retryRun = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/failed/:id/retry',
  access: 'admin',
  params: uuid,
  reply: z.object({ id: z.string(), name: z.string() }),
});
