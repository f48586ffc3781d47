import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { SourceSet } from '#server/platform/source-set.ts';

import type { Figures } from './types.ts';

/** What the events work with; one per process. */
export type EventsContext = {
  db: Db;
  config: Config;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  /** Actual and earlier figures of a release of official data, from the feature that keeps them. */
  figuresOf?: (kind: string, at: Date) => Figures | null;
};
