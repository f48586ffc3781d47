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
    'An existing PostgreSQL (15 or newer), or a pooler in front of it. Default: the bundled PostgreSQL in DATA_DIR.',
  ),
  DATABASE_DIRECT_URL: database(
    'The PostgreSQL of DATABASE_URL itself, when that leads to a pooler in transaction mode, such as PgBouncer. LISTEN, locks and migrations go there. Default: DATABASE_URL.',
  ),
  READ_DATABASE_URL: database(
    'A streaming replica of the database. History, charts, analytics, exports and other long reads come from it. Default: the primary answers everything.',
  ),
  READ_MAX_LAG_SECONDS: whole(
    1,
    3600,
    60,
    'How far READ_DATABASE_URL may be behind, in seconds. Beyond that reads come from the primary.',
  ),
};
