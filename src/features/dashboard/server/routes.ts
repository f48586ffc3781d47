import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { createReadModel, type Prepared, type ReadModel } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import { type Dashboard, dashboard, getDashboard } from '../contract.ts';
import { type AsOfDeps, readDashboardAt } from './service/as-of.ts';

/** The prepared buffer for everyone; only `asOf` asks for another one. */
export function dashboardRoutes(app: FastifyInstance, model: ReadModel<Dashboard>, deps: AsOfDeps): void {
  serve(app, getDashboard, model, (query, caller) => {
    if (!('asOf' in (query as object))) return undefined;
    const parsed = getDashboard.query.safeParse(query);
    if (!parsed.success || parsed.data.asOf === undefined)
      throw new AppError('bad_request', 'asOf must be an ISO time such as 2026-11-20T12:00:00Z');
    return readDashboardAt(deps, new Date(parsed.data.asOf), caller?.plan ?? null).then(prepare);
  });
}

async function prepare(value: Dashboard): Promise<Prepared> {
  const model = createReadModel<Dashboard>({
    name: 'dashboard of an earlier moment',
    validate: (each) => dashboard.parse(each),
    onInvalid: (error) => {
      throw error;
    },
  });
  await model.publish(value);
  return model.current() as Prepared;
}
