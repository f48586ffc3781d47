import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import { reconcile } from './service/reconcile.ts';
import type { Cards } from './service.ts';

export const cardsJobs = ({ ctx }: Cards): Job[] => [
  defineJob({
    name: 'cards.reconcile',
    about: 'Hears what the webhooks of the card service have not told, and ends what must not be charged any more',
    schedule: ['*/10 * * * *'],
    exclusive: true,
    // The next run comes soon.
    retryLimit: 0,
    payload: noPayload,
    run: () => reconcile(ctx),
  }),
];
