import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Vapid } from './vapid.ts';

export type PushContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  report: ReportError;
  secrets: Secrets;
  /** Encrypts messages. */
  thread: BackgroundThread;
  vapid: Vapid;
};
