import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Reads } from '#kernel/reads/reads.ts';

import type { ExportRow } from './store/exports.ts';

/** Stops a thread that is writing a file: the export is cancelled, or left to another process. */
export type RunningExport = { end: (why: 'cancelled' | 'stopping') => void; ended: Promise<unknown> };

export type ExportsContext = AuthContext & {
  reads: Reads;
  live: Live;
  /** Called for each export that finishes or fails, in the same transaction. */
  made: ((row: ExportRow, tx: Db) => Promise<unknown>)[];
  /** Exports in progress in this process, by id. */
  making: Map<string, RunningExport>;
  /** Notifies a worker of a pending export. */
  wake: () => Promise<void>;
};
