import type { Alerts } from '#features/alerts/server/alerts/service.ts';
import { type Market, startCollector, type TickIntake } from '#features/market/server/market/service.ts';
import { type Metrics, startLiquidations } from '#features/market/server/metrics/service.ts';

import type { Fence } from '#kernel/leader.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

/** The first thing a new leader does is look at the market. */
export async function lead(
  market: Market,
  metrics: Metrics,
  alerts: Alerts,
  scheduler: Scheduler,
  intake: TickIntake,
  fence: Fence,
): Promise<() => Promise<void>> {
  const liquidations = await startLiquidations(metrics.ctx, { fence });
  const collector = startCollector(market.ctx, intake, fence);
  const watch = alerts.watch(fence);
  await scheduler.send('market.listing', {}, { key: 'start', priority: 1000 });
  for (const [i, name] of ['metrics.slow', 'metrics.listing', 'metrics.backfill'].entries())
    await scheduler.send(name, {}, { key: 'start', priority: 900 - i, afterSeconds: 2 });
  await scheduler.send('events.collect', {}, { key: 'start', priority: 800, afterSeconds: 3 });
  await scheduler.send('inflation.check', {}, { key: 'start', priority: 790, afterSeconds: 4 });
  // It asks about figures, so it wants them first.
  await scheduler.send('inflation.forecast', {}, { key: 'start', afterSeconds: 45 });
  // What the streams and the first candles have brought by then.
  await scheduler.send('metrics.listing', {}, { key: 'settled', afterSeconds: 60 });
  // It counts in dollars, so it wants a price first.
  await scheduler.send('metrics.blocks', {}, { key: 'start', afterSeconds: 30 });
  return async () => {
    // Each in any case: one that cannot write its last word any more must not keep the others going.
    const ends = await Promise.allSettled([collector.stop(), liquidations.stop(), watch.stop()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
}
