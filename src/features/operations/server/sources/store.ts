import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

interface SourceCollectionsTable {
  source: string;
  asked_at: string;
  asked_by: number | null;
  job_ids: string[];
  success_before: string | null;
  failure_before: string | null;
}

declare module '#kernel/db.ts' {
  interface Tables {
    source_collections: SourceCollectionsTable;
  }
}

export type Collection = SourceCollectionsTable & { email: string | null };

/** The last manual collection of each source. */
export async function lastCollections(db: Db): Promise<Map<string, Collection>> {
  const rows = await db
    .selectFrom('source_collections')
    .leftJoin('users', 'users.id', 'source_collections.asked_by')
    .selectAll('source_collections')
    .select('users.email')
    .execute();
  return new Map(rows.map((row) => [row.source, row]));
}

export async function saveCollection(tx: Db, row: SourceCollectionsTable): Promise<void> {
  const { job_ids, ...rest } = row;
  await tx
    .insertInto('source_collections')
    .values({ ...rest, job_ids: sql<string[]>`${job_ids}::uuid[]` })
    .onConflict((oc) =>
      oc.column('source').doUpdateSet((eb) => ({
        asked_at: eb.ref('excluded.asked_at'),
        asked_by: eb.ref('excluded.asked_by'),
        job_ids: eb.ref('excluded.job_ids'),
        success_before: eb.ref('excluded.success_before'),
        failure_before: eb.ref('excluded.failure_before'),
      })),
    )
    .execute();
}
