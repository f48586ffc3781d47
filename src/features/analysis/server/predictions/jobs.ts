import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Predictions } from './service.ts';

/** Giving calls their outcomes, and publishing the root of each day. */
export function predictionsJobs(predictions: Predictions): Job[] {
  return [
    defineJob({
      name: 'predictions.resolve',
      about: 'Gives every call whose time has come its outcome',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        if ((await predictions.resolve()) > 0) await predictions.score();
      },
    }),
    defineJob({
      name: 'predictions.league',
      about: 'Scores the forecasters of the open league who have new outcomes',
      schedule: ['13 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => predictions.scoreLeague(),
    }),
    defineJob({
      name: 'predictions.roots',
      about: 'Publishes the hash of the last entry of each day, and thins out records of more than a week ago',
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
