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
    'Rows up to which an export is answered with its file; a bigger one is made by a job.',
  ),
  EXPORTS_PER_DAY: whole(1, 10_000, 20, 'Exports that a Pro account may make in a UTC day. Premium+ has no limit.'),
  EXPORT_DAYS_KEPT: whole(1, 365, 7, 'Days that an exported file is kept.'),
  EXPORT_THREADS: whole(
    1,
    16,
    2,
    'Exports that one process makes at the same time, of the small and the big ones each.',
  ),
};
