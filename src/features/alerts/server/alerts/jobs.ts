import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Alerts } from './service.ts';
import { deleteGates, deleteOldAlerts } from './store.ts';

const DAY_MS = 86_400_000;
const ALERT_DAYS = 400;
/** For events; a market gate is retained permanently. */
const GATE_DAYS = 60;

export function alertsJobs({ ctx }: Alerts): Job[] {
  return [
    defineJob({
      name: 'alerts.retention',
      about: 'Deletes alerts after 400 days',
      schedule: ['47 3 * * *'],
      exclusive: true,
      payload: noPayload,
      async run() {
        const before = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS);
        await deleteOldAlerts(ctx.db, before(ALERT_DAYS));
        await deleteGates(ctx.db, before(GATE_DAYS));
      },
    }),
  ];
}
