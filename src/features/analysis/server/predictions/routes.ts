import type { FastifyInstance } from 'fastify';

import { getForecaster, getLeague } from '#features/analysis/contract/league.ts';
import {
  type Backtest,
  exportLedger,
  getBacktest,
  getCalls,
  getLedger,
  verifyLedger,
} from '#features/analysis/contract/predictions.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { download, route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import { BRAND } from '#shared/brand.ts';

import { readCalls } from './service/calls.ts';
import { callsAsCsv, ledgerLines } from './service/export.ts';
import { readForecaster, readLeague } from './service/league.ts';
import type { Predictions } from './service.ts';
import { entriesAfter, lastEntry, roots } from './store/ledger.ts';

const FILE = BRAND.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export function predictionsRoutes(
  app: FastifyInstance,
  { ctx: { db, now, reads }, verify }: Predictions,
  record: ReadModel<Backtest>,
): void {
  serve(app, getBacktest, record);
  route(app, getLedger, async ({ query: { after, limit } }) => {
    const [entries, newest, published] = await Promise.all([entriesAfter(db, after, limit), lastEntry(db), roots(db)]);
    return { entries, newest: newest?.seq ?? 0, roots: published };
  });
  route(app, verifyLedger, () => verify());
  route(app, getCalls, ({ query }) => readCalls(db, query));
  route(app, getLeague, ({ query }) => readLeague(db, query.horizon, now()));
  route(app, getForecaster, ({ params }) => readForecaster(db, params.name, now()));
  download(app, exportLedger, async ({ query: { format } }) => {
    const past = await reads.pages();
    const day = now().toISOString().slice(0, 10);
    return format === 'csv'
      ? { type: 'text/csv; charset=utf-8', fileName: `${FILE}-calls-${day}.csv`, text: callsAsCsv(past) }
      : { type: 'application/jsonl; charset=utf-8', fileName: `${FILE}-ledger-${day}.jsonl`, text: ledgerLines(past) };
  });
}
