import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { SourceSet } from '#kernel/source-set.ts';

/** Dependencies of the events; one per process. */
export type EventsContext = {
  db: Db;
  config: Config;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  inflation: Pick<Inflation, 'prints' | 'onChange'>;
  market: Pick<Market, 'dailyCandles'>;
};
