import type { FastifyInstance } from 'fastify';
import {
  getCandles,
  getCoin,
  listCandles,
  listPrices,
  listSparklines,
  type PriceList,
  type Sparklines,
} from '#features/market/contract/market.ts';
import { AppError } from '#kernel/errors.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import { route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import { readChart } from './service/chart.ts';
import { readCandles, readCoin } from './service/coins.ts';
import type { Market } from './service.ts';

type Models = { prices: ReadModel<PriceList>; sparklines: ReadModel<Sparklines> };
type Past = { reads: Reads; requestBackfill: (coinId: string) => Promise<void> };

export function marketRoutes(
  app: FastifyInstance,
  market: Market,
  models: Models,
  { reads, requestBackfill }: Past,
): void {
  serve(app, listPrices, models.prices);
  serve(app, listSparklines, models.sparklines);

  route(app, getCoin, async ({ params }) => {
    const found = await readCoin(market.ctx, params.id);
    if (!found) throw new AppError('not_found', 'Unknown coin');
    return found;
  });

  route(app, getCandles, ({ params, query, caller }) =>
    reads.answer((db) => {
      const request = { id: params.id, range: query.range, plan: caller?.plan ?? null };
      return readCandles({ ...market.ctx, db }, request, requestBackfill);
    }),
  );

  route(app, listCandles, ({ query, caller }) =>
    reads.answer((db) => readChart({ ...market.ctx, db }, { ...query, plan: caller?.plan ?? null }, requestBackfill)),
  );
}
