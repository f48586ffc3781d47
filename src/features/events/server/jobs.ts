import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import { collectEvents } from './service/collect.ts';
import { markWindows } from './service/remind.ts';
import type { Events } from './service.ts';
import { ADAPTERS } from './sources.ts';

/** Reading the calendars with the slow series, and marking what comes near. */
export function eventsJobs({ ctx }: Events): Job[] {
  const minutes = ctx.config.SLOW_LANE_MINUTES;
  return [
    defineJob({
      name: 'events.collect',
      about: 'The calendar: FOMC, releases, agencies, earnings, crypto',
      schedule: [minutes >= 60 ? `11 */${Math.round(minutes / 60)} * * *` : `4-59/${minutes} * * * *`],
      exclusive: true,
      retryLimit: 1,
      reads: ADAPTERS.map(({ source }) => source),
      payload: noPayload,
      async run(_, signal) {
        await collectEvents(ctx, signal);
        await markWindows(ctx);
      },
    }),
    defineJob({
      name: 'events.windows',
      about: 'Marks the events that have come within 1, 2, 3, 5 or 7 days',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      retryLimit: 1,
      payload: noPayload,
      run: async () => void (await markWindows(ctx)),
    }),
  ];
}
