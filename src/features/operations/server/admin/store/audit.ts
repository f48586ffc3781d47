import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export type AuditRow = {
  id: number;
  at: string;
  action: string;
  actor_id: number | null;
  subject_id: number | null;
  details: Record<string, unknown>;
  network: string | null;
};

export type AuditFilter = {
  /** Whole, or its noun alone. */
  action?: string | undefined;
  actors?: readonly number[] | undefined;
  subjects?: readonly number[] | undefined;
  /** First moment and the one after the last. */
  from?: Date | undefined;
  end?: Date | undefined;
  before?: number | undefined;
};

/** Newest first. */
export async function newestEntries(db: Db, filter: AuditFilter, count: number): Promise<AuditRow[]> {
  const { action, actors, subjects, from, end, before } = filter;
  let query = db
    .selectFrom('audit_log')
    .select(['id', 'at', 'action', 'actor_id', 'subject_id', 'details', 'network'])
    .orderBy('id', 'desc')
    .limit(count);
  if (action !== undefined) {
    const noun = `${action.replaceAll(/[\\%_]/g, String.raw`\$&`)}.%`;
    query = query.where((eb) => eb.or([eb('action', '=', action), eb('action', 'like', noun)]));
  }
  if (actors) query = query.where(sql<boolean>`actor_id = any(${[...actors]}::bigint[])`);
  if (subjects) query = query.where(sql<boolean>`subject_id = any(${[...subjects]}::bigint[])`);
  if (from) query = query.where('at', '>=', from.toISOString());
  if (end) query = query.where('at', '<', end.toISOString());
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}
