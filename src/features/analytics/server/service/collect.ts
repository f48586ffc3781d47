import type { z } from 'zod/mini';

import type { collectAdvancedData } from '#features/analytics/contract.ts';
import { audit } from '#kernel/audit.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import type { AnalyticsContext } from '../context.ts';

/** What the page is made of, by the jobs that fetch it. */
const JOBS = [
  { name: 'market.listing', about: 'Prices, changes, volumes and market caps of all coins' },
  { name: 'metrics.listing', about: 'Global figures, open interest and funding' },
  { name: 'metrics.slow', about: 'Sentiment, stablecoins and on-chain figures' },
  { name: 'metrics.blocks', about: 'Large transfers, block by block' },
] as const;

/** Starts what is not running already; a call while a job waits or runs joins it. */
export async function collectNow(
  { db, now }: AnalyticsContext,
  scheduler: Scheduler,
  actorId: number,
): Promise<z.infer<(typeof collectAdvancedData)['reply']>> {
  const jobs = await Promise.all(
    JOBS.map(async (job) => {
      if (await scheduler.isUnderWay(job.name)) return { ...job, state: 'running' as const };
      await scheduler.send(job.name);
      return { ...job, state: 'started' as const };
    }),
  );
  const named = (state: 'started' | 'running') => jobs.filter((job) => job.state === state).map(({ name }) => name);
  const [started, running] = [named('started'), named('running')];
  const details = { started, running };
  await audit(db, { at: now(), actorId, subjectId: null, action: 'collection.start', details });
  const message = [
    ...(started.length > 0 ? [`Started: ${started.join(', ')}`] : []),
    ...(running.length > 0 ? [`Already running: ${running.join(', ')}`] : []),
  ].join('. ');
  return { success: true, message, jobs };
}
