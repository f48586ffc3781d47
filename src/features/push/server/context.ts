import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { SideThread } from '#server/platform/side-thread.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Vapid } from './vapid.ts';

export type PushContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  report: ReportError;
  secrets: Secrets;
  /** Encrypts. */
  thread: SideThread;
  vapid: Vapid;
};
