import type { FastifyInstance } from 'fastify';
import { listFailedRuns, listJobs, retryRun, runJob } from '#features/operations/contract/jobs.ts';
import { route } from '#kernel/route.ts';
import * as jobs from './service.ts';

export function jobsRoutes(app: FastifyInstance, deps: jobs.JobsDeps): void {
  route(app, listJobs, () => jobs.listJobs(deps));
  route(app, listFailedRuns, () => jobs.listFailed(deps));
  route(app, runJob, ({ caller, params }) => jobs.runNow(deps, caller, params.name));
  route(app, retryRun, ({ caller, params }) => jobs.retryFailed(deps, caller, params.id));
}
