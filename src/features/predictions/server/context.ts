import type { Market } from '#features/market/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';

export type PredictionsContext = {
  db: Db;
  now: () => Date;
  live: Live;
  market: Pick<Market, 'dailyCloses' | 'priceAfter' | 'priceBefore'>;
};
