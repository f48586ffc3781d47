import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { Partitions } from '#kernel/partitions.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Board } from './board.ts';
import type { CandleProvider, ListingProvider } from './types.ts';

/** Dependencies of the market services; one per process. */
export type MarketContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  partitions: Partitions;
  sources: SourceSet;
  board: Board;
  clients: { coingecko: SourceClient; coinpaprika: SourceClient; okx: SourceClient };
  listings: ListingProvider[];
  candles: CandleProvider[];
};
