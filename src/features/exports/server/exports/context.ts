import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Reads } from '#kernel/reads/reads.ts';

import type { ExportRow } from './store/exports.ts';

/** Ends a thread that makes a file: it is given up, or left to another process. */
export type Making = { end: (why: 'cancelled' | 'stopping') => void; ended: Promise<unknown> };

export type ExportsContext = AuthContext & {
  reads: Reads;
  live: Live;
  /** Called for each export that is done or has failed, in the same transaction. */
  made: ((row: ExportRow, tx: Db) => Promise<unknown>)[];
  /** What this process makes at the moment, by export. */
  making: Map<string, Making>;
  /** Tells a worker that an export waits. */
  wake: () => Promise<void>;
};
