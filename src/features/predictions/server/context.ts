import type { Market } from '#features/market/server/service.ts';
import type { Db } from '#server/platform/db.ts';

export type PredictionsContext = {
  db: Db;
  now: () => Date;
  market: Pick<Market, 'dailyCloses' | 'priceAfter' | 'priceBefore'>;
};
