import { z } from 'zod';

import { whole } from './setting-kinds.ts';

/** Where the files that people take away are made and kept. */
export const EXPORT_SETTINGS = {
  EXPORTS_DIR: z
    .string()
    .optional()
    .describe('Folder for exported files, shared by all processes. Default: exports in DATA_DIR.'),
  EXPORT_ROWS_AT_ONCE: whole(
    1,
    1_000_000,
    100_000,
    'Maximum rows of an export returned immediately; larger exports run as a job.',
  ),
  EXPORTS_PER_DAY: whole(1, 10_000, 20, 'Exports per UTC day for a Pro account. Premium+ has no limit.'),
  EXPORT_DAYS_KEPT: whole(1, 365, 7, 'Retention of exported files, in days.'),
  EXPORT_THREADS: whole(1, 16, 2, 'Exports running in parallel per process, for small and large ones each.'),
};
