import type { Market } from '#features/market/server/market/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

export type PredictionsContext = {
  db: Db;
  reads: Reads;
  mode: DataMode;
  now: () => Date;
  live: Live;
  market: Pick<Market, 'dailyCandles' | 'priceAfter' | 'priceBefore'>;
};
