import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';

import type { MetricsContext } from './context.ts';
import { backfillMetrics, collectLane } from './service/collect.ts';
import { METRIC_ADAPTERS } from './sources.ts';
import type { Lane } from './types.ts';

const laneSources = (lane: Lane) => METRIC_ADAPTERS.filter((each) => each.lane === lane).map(({ source }) => source);

/** Reads the metrics in three lanes, and their history once. */
export function metricsJobs(ctx: MetricsContext, scheduler: () => Scheduler): Job[] {
  const { LISTING_MINUTES, SLOW_LANE_MINUTES } = ctx.config;
  return [
    defineJob({
      name: 'metrics.listing',
      about: 'Global figures, open interest, funding',
      schedule: [`2-59/${LISTING_MINUTES} * * * *`],
      exclusive: true,
      retryLimit: 0,
      reads: laneSources('listing'),
      payload: noPayload,
      run: (_, signal) => collectLane(ctx, 'listing', signal),
    }),
    defineJob({
      name: 'metrics.slow',
      about: 'Slow figures: stablecoins, exchange reserves, on-chain, fear and greed',
      schedule: [
        SLOW_LANE_MINUTES >= 60 ? `7 */${Math.round(SLOW_LANE_MINUTES / 60)} * * *` : `*/${SLOW_LANE_MINUTES} * * * *`,
      ],
      exclusive: true,
      retryLimit: 1,
      reads: laneSources('slow'),
      payload: noPayload,
      run: (_, signal) => collectLane(ctx, 'slow', signal),
    }),
    defineJob({
      name: 'metrics.blocks',
      about: 'Large transfers, block by block',
      schedule: ['*/10 * * * *'],
      exclusive: true,
      expireSeconds: 900,
      retryLimit: 0,
      reads: laneSources('blocks'),
      payload: noPayload,
      run: (_, signal) => collectLane(ctx, 'blocks', signal),
    }),
    defineJob({
      name: 'metrics.backfill',
      about: 'Backfills metric history from every source that provides it',
      schedule: ['23 * * * *'],
      exclusive: true,
      expireSeconds: 1800,
      retryLimit: 3,
      collectsSources: true,
      payload: noPayload,
      async run(_, signal) {
        const isWhole = await backfillMetrics(ctx, signal);
        if (!isWhole) await scheduler().send('metrics.backfill', {}, { afterSeconds: 10 });
      },
    }),
  ];
}
