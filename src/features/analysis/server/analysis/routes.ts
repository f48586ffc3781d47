import type { FastifyInstance } from 'fastify';

import { collectData, getPredictions, type PredictionSet, runAnalysis } from '#features/analysis/contract/analysis.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { route } from '#kernel/route.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import { serve } from '#kernel/serve.ts';

type Deps = { scheduler: Scheduler; predictions: ReadModel<PredictionSet>; db: Db; now: () => Date };

export function analysisRoutes(app: FastifyInstance, { scheduler, predictions, db, now }: Deps): void {
  serve(app, getPredictions, predictions);
  /** A call while the job waits or runs joins it. */
  const start = async (actorId: number, job: string, payload?: object) => {
    const status = (await scheduler.isUnderWay(job)) ? ('running' as const) : ('started' as const);
    const named = status === 'started' ? { started: [job], running: [] } : { started: [], running: [job] };
    await audit(db, { at: now(), actorId, subjectId: null, action: 'collection.start', details: named });
    if (status === 'started') await scheduler.send(job, payload);
    return { status };
  };
  route(app, runAnalysis, ({ caller }) => start(caller.userId, 'analysis.run'));
  route(app, collectData, ({ caller }) => start(caller.userId, 'market.collect', { anew: true }));
}
