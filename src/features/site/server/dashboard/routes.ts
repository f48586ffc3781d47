import type { FastifyInstance } from 'fastify';
import { type Brief, getBrief } from '#features/site/contract/brief.ts';
import { dashboard, getChanges, getDashboard } from '#features/site/contract/dashboard.ts';
import { AppError } from '#kernel/errors.ts';
import { prepare, type ReadModel } from '#kernel/read-model.ts';
import { type Caller, route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import { BY_CALLER } from '#kernel/shared-cache.ts';
import { type AsOfDeps, readDashboardAt } from './service/as-of.ts';
import { createChanges } from './service/changes.ts';
import type { PlanDashboards } from './service/plan-dashboards.ts';

type Deps = AsOfDeps & Parameters<typeof createChanges>[0];

/** One prepared buffer per plan; only `asOf` needs another one. */
export function dashboardRoutes(
  app: FastifyInstance,
  { dashboard: dashboards, brief }: { dashboard: PlanDashboards; brief: ReadModel<Brief> },
  deps: Deps,
): void {
  const callerPlan = (caller: Caller | null) => caller?.plan ?? null;
  const modelFor = (caller: Caller | null) => dashboards.of(callerPlan(caller));
  serve(app, getDashboard, modelFor, (query, caller) => {
    if (!('asOf' in (query as object))) return undefined;
    const parsed = getDashboard.query.safeParse(query);
    if (!parsed.success || parsed.data.asOf === undefined)
      throw new AppError('bad_request', 'asOf must be an ISO time such as 2026-11-20T12:00:00Z');
    return readDashboardAt(deps, new Date(parsed.data.asOf), callerPlan(caller)).then((value) =>
      prepare(JSON.stringify(dashboard.parse(value)), { headers: BY_CALLER }),
    );
  });
  serve(app, getBrief, brief);
  const changesSince = createChanges(deps);
  route(app, getChanges, ({ query, caller }) => changesSince(query.since, caller));
}
