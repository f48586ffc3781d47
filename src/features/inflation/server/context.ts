import type { Analysis } from '#features/analysis/server/service.ts';
import type { PastMarket } from '#features/metrics/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { SourceSet } from '#server/platform/source-set.ts';
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
  /** Demo only: the same world at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};
