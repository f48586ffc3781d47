import type { Auth } from '#features/accounts/server/auth/service.ts';
import { exportsTopic } from '#features/exports/contract/exports.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import { ownedBy, QUEUE } from '#kernel/personal-data.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import { exportsJobs } from './exports/jobs.ts';
import { exportsRoutes } from './exports/routes.ts';
import { createExports, type Exports } from './exports/service.ts';
import { historyRoutes } from './history/routes.ts';
import { settingsFilesRoutes } from './settings-files/routes.ts';

type Service = { exports: Exports };

export const exports = feature({
  name: 'exports',
  create: ({ auth, live, reads }: FeatureContext & { auth: Auth }): Service => ({
    exports: createExports({ ...auth.ctx, live, reads }),
  }),
  topics: [exportsTopic],
  routes(app, parts: Service & Parameters<typeof historyRoutes>[1] & Parameters<typeof settingsFilesRoutes>[1]) {
    historyRoutes(app, parts);
    exportsRoutes(app, parts.exports);
    settingsFilesRoutes(app, parts);
  },
  jobs: (parts: Service & { scheduler: () => Scheduler }) => exportsJobs(parts.exports, parts.scheduler),
  personalData: [
    ownedBy(
      'exports',
      'created_at data_types date_range range_from range_to format include_metadata compression state file_name file_size rows sha256 error finished_at expires_at',
      {
        id: QUEUE,
        schedule_id: QUEUE,
        scheduled_for: QUEUE,
        basic: QUEUE,
        attempt: QUEUE,
        beat_at: QUEUE,
        rows_expected: QUEUE,
        rows_done: QUEUE,
        manifest: 'contained in the exported file',
        started_at: QUEUE,
      },
    ),
    ownedBy(
      'export_schedules',
      'created_at name schedule data_types date_range format include_metadata compression email_notification time_zone hour state next_run_at',
      {
        id: QUEUE,
        anchor: QUEUE,
      },
    ),
    ownedBy('export_looks', 'updated_at name colour logo'),
  ],
});
