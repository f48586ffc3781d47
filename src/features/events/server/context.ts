import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { SourceSet } from '#server/platform/source-set.ts';

/** What the events work with; one per process. */
export type EventsContext = {
  db: Db;
  config: Config;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  inflation: Pick<Inflation, 'prints' | 'onChange'>;
  market: Pick<Market, 'dailyCloses'>;
};
