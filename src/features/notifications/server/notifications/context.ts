import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';

import type { Channel } from './channel.ts';

export type NotificationsContext = {
  db: Db;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  channels: readonly Channel[];
};
