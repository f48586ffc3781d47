import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { PastMarket } from '#features/market/server/metrics/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

export type InflationContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  analysis: Analysis;
  /** Demo only: the same data at any past moment. */
  openPast?: () => Promise<PastMarket>;
};
