import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Predictions } from './service.ts';

/** Grades calls, and publishes the root of each day. */
export function predictionsJobs(predictions: Predictions): Job[] {
  return [
    defineJob({
      name: 'predictions.resolve',
      about: 'Grades every call that has reached its horizon',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        if ((await predictions.resolve()) > 0) await predictions.score();
      },
    }),
    defineJob({
      name: 'predictions.league',
      about: 'Scores open league forecasters with new outcomes',
      schedule: ['13 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => predictions.scoreLeague(),
    }),
    defineJob({
      name: 'predictions.roots',
      about: 'Publishes the hash of each day’s last ledger entry and thins out records older than a week',
      schedule: ['6 0 * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        await predictions.publishRoots();
        await predictions.thinRecords();
      },
    }),
  ];
}
