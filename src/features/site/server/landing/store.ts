import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

/** Number of observed prices and metrics, as estimated by the database: counting would read them all. */
export async function estimateObservations(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(n_live_tup), 0)::float8 as rows from pg_stat_user_tables
    where schemaname = current_schema() and relname ~ '^(price|metric)_observations'`.execute(db);
  return rows[0]?.rows ?? 0;
}
