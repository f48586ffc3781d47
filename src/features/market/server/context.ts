import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { SourceClient } from '#server/platform/http/http-client.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { Partitions } from '#server/platform/partitions.ts';
import type { SourceSet } from '#server/platform/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Board } from './board.ts';
import type { CandleProvider, ListingProvider } from './types.ts';

/** What the market's services work with; one per process. */
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
