import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';

import type { Channel } from './channel.ts';

export type NotificationsContext = {
  db: Db;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  channels: readonly Channel[];
};
