import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import type { ReadModel } from '#server/platform/read-model.ts';
import { route } from '#server/platform/route.ts';
import { serve } from '#server/platform/serve.ts';

import {
  getCandles,
  getCoin,
  listCandles,
  listPrices,
  listSparklines,
  type PriceList,
  type Sparklines,
} from '../contract.ts';
import { readChart } from './service/chart.ts';
import { readCandles, readCoin } from './service/coins.ts';
import type { Market } from './service.ts';

type Models = { prices: ReadModel<PriceList>; sparklines: ReadModel<Sparklines> };
type Backfill = (coinId: string) => Promise<void>;

export function marketRoutes(app: FastifyInstance, market: Market, models: Models, requestBackfill: Backfill): void {
  serve(app, listPrices, models.prices);
  serve(app, listSparklines, models.sparklines);

  route(app, getCoin, async ({ params }) => {
    const found = await readCoin(market.ctx, params.id);
    if (!found) throw new AppError('not_found', 'Unknown coin');
    return found;
  });

  route(app, getCandles, ({ params, query, caller }) =>
    readCandles(market.ctx, { id: params.id, range: query.range, plan: caller?.plan ?? null }, requestBackfill),
  );

  route(app, listCandles, ({ query, caller }) =>
    readChart(market.ctx, { ...query, plan: caller?.plan ?? null }, requestBackfill),
  );
}
