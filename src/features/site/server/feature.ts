import type { Auth } from '#features/accounts/server/auth/service.ts';
import { METRIC_ADAPTERS } from '#features/market/server/metrics/sources.ts';
import { brief } from '#features/site/contract/brief.ts';
import { dashboard } from '#features/site/contract/dashboard.ts';
import { about } from '#features/site/contract/legal.ts';
import { status } from '#features/site/contract/status.ts';
import { feature } from '#kernel/feature.ts';
import type { Live } from '#kernel/live/live.ts';

import { dashboardRoutes } from './dashboard/routes.ts';
import { createPlanDashboards } from './dashboard/service.ts';
import { figureRoutes } from './figures/routes.ts';
import { legalRoutes } from './legal/routes.ts';
import { statusJobs } from './status/jobs.ts';
import { statusRoutes } from './status/routes.ts';

type Routes = Parameters<typeof dashboardRoutes>[2] &
  Parameters<typeof figureRoutes>[1] & {
    auth: Auth;
    live: Live;
    models: Parameters<typeof statusRoutes>[2] & {
      dashboard: Parameters<typeof dashboardRoutes>[1]['dashboard'];
      brief: Parameters<typeof dashboardRoutes>[1]['brief'];
      about: Parameters<typeof legalRoutes>[1];
    };
  };

const SLOW_SOURCES = METRIC_ADAPTERS.filter(({ lane }) => lane === 'slow').map(({ source }) => source);

export const site = feature({
  name: 'site',
  readModels: ({ json, text }) => ({
    dashboard: createPlanDashboards(json('dashboard', dashboard, '/api/dashboard')),
    brief: json('brief', brief, '/api/brief'),
    about: json('about', about, '/api/about'),
    status: json('status', status, '/api/status'),
    statusFeed: text('status feed', 'application/atom+xml; charset=utf-8', '/status.atom'),
  }),
  routes(app, parts: Routes) {
    const { auth, live, models } = parts;
    dashboardRoutes(app, models, parts);
    figureRoutes(app, parts);
    legalRoutes(app, models.about);
    statusRoutes(app, { ...auth.ctx, live }, models);
  },
  jobs: (parts: Omit<Parameters<typeof statusJobs>[0], 'slowSources'>) =>
    statusJobs({ ...parts, slowSources: SLOW_SOURCES }),
  excludedFromPersonalData: {
    incidents: 'written by administrators for everyone',
    incident_updates: 'written by administrators for everyone',
  },
});
