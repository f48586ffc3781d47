import type { Market } from '#features/market/server/service.ts';
import type { Connection, Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { DataMode } from '#shared/provenance.ts';

export type PredictionsContext = {
  db: Db;
  /** For the thread that scores. */
  connection: Connection;
  mode: DataMode;
  now: () => Date;
  live: Live;
  market: Pick<Market, 'dailyCloses' | 'priceAfter' | 'priceBefore'>;
};
