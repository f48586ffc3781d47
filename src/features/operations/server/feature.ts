import type { Auth } from '#features/accounts/server/auth/service.ts';
import { feature } from '#kernel/feature.ts';
import { OWN, QUEUE } from '#kernel/personal-data.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import type { AdminContext } from './admin/context.ts';
import { auditRoutes, mailRoutes, userRoutes } from './admin/routes.ts';
import { collectionsRoutes } from './collections/routes.ts';
import { errorLogsRoutes } from './error-logs/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { jobsRoutes } from './jobs/routes.ts';
import { monitoringRoutes } from './monitoring/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { sourcesRoutes } from './sources/routes.ts';

type Routes = Pick<AdminContext, 'live' | 'billing' | 'cards' | 'keysOf'> &
  Parameters<typeof sourcesRoutes>[1] &
  Parameters<typeof collectionsRoutes>[1] & {
    auth: Auth;
    scheduler: Scheduler;
    settings: Parameters<typeof settingsRoutes>[1]['settings'];
    notifications: { ctx: AdminContext['notifications'] };
    health: Parameters<typeof healthRoutes>[1];
    readiness: Parameters<typeof healthRoutes>[2];
    monitoring: Parameters<typeof monitoringRoutes>[1];
  };

export const operations = feature({
  name: 'operations',
  routes(app, parts: Routes) {
    const { auth, live, billing, cards, keysOf, notifications, settings } = parts;
    healthRoutes(app, parts.health, parts.readiness);
    monitoringRoutes(app, parts.monitoring);
    sourcesRoutes(app, parts);
    jobsRoutes(app, parts);
    mailRoutes(app, auth.ctx);
    userRoutes(app, { ...auth.ctx, live, billing, cards, notifications: notifications.ctx, keysOf });
    auditRoutes(app, parts);
    errorLogsRoutes(app, auth.ctx);
    collectionsRoutes(app, parts);
    settingsRoutes(app, { auth: auth.ctx, settings });
  },
  personalData: [
    {
      table: 'audit_log',
      of: 'subject_id',
      shown: 'at action details network',
      hidden: { id: QUEUE, subject_id: OWN, actor_id: 'the ID of the acting user' },
    },
  ],
  excludedFromPersonalData: {
    setting_changes: 'settings made by administrators',
    source_collections: 'actions started by administrators',
  },
});
