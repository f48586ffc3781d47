import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

import { collectData, getPredictions, type PredictionSet, runAnalysis } from '#features/analysis/contract/analysis.ts';
import { exportReplayCandles, getReplay } from '#features/analysis/contract/replay.ts';
import { getCoinRanges, getCoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { download, route } from '#kernel/route.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import { serve } from '#kernel/serve.ts';
import { candlesAsCsv } from './service/replay.ts';
import type { Analysis } from './service.ts';

type Deps = {
  scheduler: Scheduler;
  predictions: ReadModel<PredictionSet>;
  db: Db;
  now: () => Date;
  analysis: Analysis;
};

export function analysisRoutes(app: FastifyInstance, { scheduler, predictions, db, now, analysis }: Deps): void {
  serve(app, getPredictions, predictions);
  route(app, getReplay, () => ({ mode: analysis.ctx.mode, replay: analysis.currentReplay() }));
  route(app, getCoinRanges, async ({ params: { id } }) => {
    if (!analysis.ctx.market.ctx.board.has(id)) throw new AppError('not_found', 'Unknown coin');
    return { id, ranges: await analysis.coinRanges(id) };
  });
  route(app, getCoinRangesRecord, () => analysis.coinRangesRecord());
  download(app, exportReplayCandles, async () => ({
    type: 'text/csv; charset=utf-8',
    fileName: 'replay-candles.csv',
    text: Readable.from([await candlesAsCsv(analysis.ctx)]),
  }));
  /** A request while the job is queued or running joins it. */
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
