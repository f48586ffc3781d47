import { alertsTopic } from '#features/alerts/contract/alerts.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import { ownedBy, QUEUE } from '#kernel/personal-data.ts';

import { alertsJobs } from './alerts/jobs.ts';
import { alertsRoutes } from './alerts/routes.ts';
import { type Alerts, createAlerts } from './alerts/service.ts';
import { thresholdsJobs } from './thresholds/jobs.ts';
import { thresholdsRoutes } from './thresholds/routes.ts';
import { createThresholds, type Thresholds } from './thresholds/service.ts';

type Services = { alerts: Alerts; thresholds: Thresholds };

export const alerts = feature({
  name: 'alerts',
  create: (
    parts: FeatureContext & Parameters<typeof createAlerts>[0] & Parameters<typeof createThresholds>[0],
  ): Services => ({
    alerts: createAlerts(parts),
    thresholds: createThresholds(parts),
  }),
  topics: [alertsTopic],
  routes(app, parts: Services) {
    alertsRoutes(app, parts.alerts);
    thresholdsRoutes(app, parts.thresholds);
  },
  jobs: (parts: Services) => [...alertsJobs(parts.alerts), ...thresholdsJobs(parts.thresholds)],
  personalData: [
    ownedBy(
      'alert_rules',
      'position name description metric condition value enabled icon options created_at updated_at last_fired_at fires suppressed done paused',
      {
        id: QUEUE,
        version: QUEUE,
        first_on: QUEUE,
        second_on: QUEUE,
        pending_since: QUEUE,
        options_key: QUEUE,
      },
    ),
    ownedBy(
      'alerts',
      'id type severity message metric value detail event_date source method source_at received_at evaluated_at queued_at',
      {
        rule_id: QUEUE,
        once: QUEUE,
        event_id: QUEUE,
      },
    ),
    ownedBy('alert_acknowledgements', 'at alert_id'),
  ],
  excludedFromPersonalData: {
    alert_rule_lists: 'revision counter of a list whose rules are included',
  },
});
