import type { FastifyInstance } from 'fastify';

import { type Backtest, getBacktest, getLedger, verifyLedger } from '#features/predictions/contract.ts';
import type { ReadModel } from '#server/platform/read-model.ts';
import { route } from '#server/platform/route.ts';
import { serve } from '#server/platform/serve.ts';

import type { Predictions } from './service.ts';
import { entriesAfter, lastEntry, roots } from './store/ledger.ts';

export function predictionsRoutes(
  app: FastifyInstance,
  { ctx: { db }, verify }: Predictions,
  record: ReadModel<Backtest>,
): void {
  serve(app, getBacktest, record);
  route(app, getLedger, async ({ query: { after, limit } }) => {
    const [entries, newest, published] = await Promise.all([entriesAfter(db, after, limit), lastEntry(db), roots(db)]);
    return { entries, newest: newest?.seq ?? 0, roots: published };
  });
  route(app, verifyLedger, verify);
}
