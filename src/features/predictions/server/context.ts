import type { Market } from '#features/market/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Reads } from '#server/platform/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

export type PredictionsContext = {
  db: Db;
  reads: Reads;
  mode: DataMode;
  now: () => Date;
  live: Live;
  market: Pick<Market, 'dailyCloses' | 'priceAfter' | 'priceBefore'>;
};
