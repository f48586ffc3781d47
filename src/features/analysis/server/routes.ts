import type { FastifyInstance } from 'fastify';

import { collectData, getPredictions, type PredictionSet, runAnalysis } from '#features/analysis/contract.ts';
import type { ReadModel } from '#server/platform/read-model.ts';
import { route } from '#server/platform/route.ts';
import type { Scheduler } from '#server/platform/scheduler.ts';
import { serve } from '#server/platform/serve.ts';

export function analysisRoutes(
  app: FastifyInstance,
  scheduler: Scheduler,
  predictions: ReadModel<PredictionSet>,
): void {
  serve(app, getPredictions, predictions);
  /** A call while the job waits or runs joins it. */
  const start = async (job: string, payload?: object) => {
    if (await scheduler.isUnderWay(job)) return { status: 'running' as const };
    await scheduler.send(job, payload);
    return { status: 'started' as const };
  };
  route(app, runAnalysis, () => start('analysis.run'));
  route(app, collectData, () => start('market.collect', { anew: true }));
}
