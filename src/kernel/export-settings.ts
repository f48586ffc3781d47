import { z } from 'zod';

import { whole } from './setting-kinds.ts';

/** Where the files that people take away are made and kept. */
export const EXPORT_SETTINGS = {
  EXPORTS_DIR: z
    .string()
    .optional()
    .describe('Folder of the exported files, the same for every process. Default: exports in DATA_DIR.'),
  EXPORT_ROWS_AT_ONCE: whole(
    1,
    1_000_000,
    100_000,
    'Maximum rows of an export that is returned immediately; larger ones run as a job.',
  ),
  EXPORTS_PER_DAY: whole(1, 10_000, 20, 'Exports per UTC day for a Pro account. Premium+ has no limit.'),
  EXPORT_DAYS_KEPT: whole(1, 365, 7, 'Retention of exported files, in days.'),
  EXPORT_THREADS: whole(1, 16, 2, 'Exports that one process runs in parallel, for small and large ones each.'),
};
