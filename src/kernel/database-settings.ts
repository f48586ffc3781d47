import { z } from 'zod';

import { whole } from './setting-kinds.ts';

const database = (about: string) =>
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional()
    .describe(about);

/** Which PostgreSQL the product runs on, and by which ways it is reached. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: database(
    'Existing PostgreSQL (15 or newer), or a pooler in front of it. Default: the bundled PostgreSQL in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: database(
    'Direct connection to PostgreSQL if DATABASE_URL points to a pooler in transaction mode, such as PgBouncer; used for LISTEN, locks and migrations. Default: DATABASE_URL.',
  ),
  READ_DATABASE_URL: database(
    'Streaming replica for history, charts, analytics, exports and other long reads. Default: the primary.',
  ),
  READ_MAX_LAG_SECONDS: whole(1, 3600, 60, 'Maximum replica lag in seconds; beyond it, the primary is used.'),
};
