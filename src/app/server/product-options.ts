import type { PastMarket } from '#features/market/server/metrics/service.ts';
import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import type { Rails } from '#features/payments/server/payments.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import type { Log } from '#kernel/log.ts';
import type { Secrets } from '#kernel/secrets.ts';
import type { DataMode } from '#shared/provenance.ts';

export type ProductOptions = {
  config: Config;
  mode: DataMode;
  connection: Connection;
  /** The server itself, where `connection` uses a pooler: for anything that needs a session. Default: `connection`. */
  direct?: Connection;
  /** A replica for long reads. */
  read?: Connection | undefined;
  databaseKind: 'bundled' | 'external';
  /** Where the bundled database writes. */
  databaseFolder?: string | null;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  version: string;
  /** False only in benchmarks: requests are not counted. */
  watchRequests?: boolean;
  /** Demo only: the same market at any earlier time. */
  openPast?: () => Promise<PastMarket>;
  /** Only in tests: channels added to those of the product, replacing any of the same name. */
  channels?: Channel[];
  /** Only in tests: networks in place of the real ones. */
  rails?: Rails;
  /** Only in tests: a thread that several products share. */
  thread?: BackgroundThread;
};
