import { type RawBuilder, sql } from 'kysely';

import { EXACT_UP_TO } from '#features/operations/contract/collections.ts';
import type { Db } from '#kernel/db.ts';

export type Count = { count: number; estimated: boolean };

/** Where the records of a collection stand, as `from` and `where` of a query. */
export const SOURCES = {
  market_data: sql`price_observations`,
  ai_analysis: sql`analyses`,
  fear_greed: sql`metric_observations where metric = 'fear_greed'`,
  trending_narratives: sql`metric_observations where metric like 'narrative.%' and metric not like 'narrative.%.%'`,
  upcoming_events: sql`events where deleted_at is null`,
  users: sql`users`,
  subscriptions: sql`entitlements`,
  error_logs: sql`error_logs`,
} as const;

/** Counted one by one up to `EXACT_UP_TO`; beyond it the planner tells, from its statistics and the size of the files. */
export async function countOf(db: Db, source: RawBuilder<unknown>): Promise<Count> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from ${source} limit ${EXACT_UP_TO + 1}::int) few`.execute(db);
  const count = rows[0]?.count ?? 0;
  if (count <= EXACT_UP_TO) return { count, estimated: false };
  const plan = await sql<{
    'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
  }>`explain (format json) select 1 from ${source}`.execute(db);
  return { count: Math.max(count, plan.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), estimated: true };
}
