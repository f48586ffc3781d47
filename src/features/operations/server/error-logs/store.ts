import { type SqlBool, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import '#kernel/error-store.ts';

import { ERROR_TYPES, type ErrorLog, type ErrorType, type Tally } from '#features/operations/contract/error-logs.ts';

/** The list position after which a page starts. */
type Place = { lastSeen: string; id: number };
type Wanted = { type?: ErrorType | undefined; q?: string | undefined; before?: Place | undefined; count: number };

const open = (db: Db) => db.selectFrom('error_groups').where('resolved_at', 'is', null);

function holds(q: string | undefined) {
  const pattern = `%${(q ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`concat_ws(' ', source, message, request_id, details) ilike ${pattern}`;
}

export function newestErrors(db: Db, { type, q, before, count }: Wanted): Promise<ErrorLog[]> {
  let query = open(db)
    .select(['id', 'source', 'type', 'message', 'last_seen as timestamp', 'details', 'fingerprint'])
    .select(['first_seen as firstSeen', 'count', 'request_id as requestId'])
    .where(holds(q))
    .orderBy('last_seen', 'desc')
    .orderBy('id', 'desc')
    .limit(count);
  if (type !== undefined) query = query.where('type', '=', type);
  if (before !== undefined)
    query = query.where(sql<SqlBool>`(last_seen, id) < (${before.lastSeen}::timestamptz, ${before.id}::bigint)`);
  return query.execute();
}

export async function countErrors(db: Db, q: string | undefined): Promise<Record<ErrorType | 'all', Tally>> {
  const rows = await open(db)
    .select(['type', sql<number>`count(*)::int`.as('errors'), sql<number>`sum(count)::bigint`.as('times')])
    .where(holds(q))
    .groupBy('type')
    .execute();
  const none = { errors: 0, times: 0 };
  const of = (type: ErrorType): Tally => rows.find((row) => row.type === type) ?? none;
  const all = ERROR_TYPES.map(of).reduce(
    (sum, { errors, times }) => ({ errors: sum.errors + errors, times: sum.times + times }),
    none,
  );
  const [api_failure, data_collection, authentication, system, other] = ERROR_TYPES.map(of) as [
    Tally,
    Tally,
    Tally,
    Tally,
    Tally,
  ];
  return { all, api_failure, data_collection, authentication, system, other };
}

/** 'was': it was already resolved. Undefined: there is no such error. */
export async function resolve(tx: Db, id: number, at: Date): Promise<'resolved' | 'was' | undefined> {
  const row = await tx
    .selectFrom('error_groups')
    .select('resolved_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.resolved_at !== null) return 'was';
  await tx.updateTable('error_groups').set({ resolved_at: at.toISOString() }).where('id', '=', id).execute();
  return 'resolved';
}
