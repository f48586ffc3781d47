import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { SOURCES } from './count.ts';

/** Rows of a table with a growing id, newest first, the columns that are named and no others. */
async function* byId<T extends { id: number }>(read: (below: number) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await read(below);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    below = last.id;
  }
}

const PAGE = 1_000;

export type UserRow = {
  id: number;
  email: string;
  emailVerified: boolean;
  role: 'user' | 'admin';
  createdAt: string;
};

export const userPages = (db: Db): AsyncGenerator<UserRow[]> =>
  byId((below) =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'role', 'created_at as createdAt'])
      .select(sql<boolean>`email_verified_at is not null`.as('emailVerified'))
      .where('id', '<', below)
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute(),
  );

/** What gave or took a plan; a plan is the fold of them. */
export const subscriptionPages = (db: Db) =>
  byId((below) =>
    db
      .selectFrom('entitlements as e')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .select([
        'e.id',
        'e.user_id as userId',
        'u.email',
        'e.plan',
        'e.source',
        'e.starts_at as startsAt',
        'e.ends_at as endsAt',
        'e.created_at as createdAt',
        'e.created_by as createdBy',
        'e.note',
      ])
      .where('e.id', '<', below)
      .orderBy('e.id', 'desc')
      .limit(PAGE)
      .execute(),
  );

export const errorPages = (db: Db) =>
  byId((below) =>
    db
      .selectFrom('error_logs')
      .select(['id', 'source', 'type', 'message', 'details', 'timestamp'])
      .where('id', '<', below)
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute(),
  );

/** Ignored ones too; what was deleted is gone. */
export const eventPages = (db: Db) =>
  byId((below) =>
    db
      .selectFrom('events')
      .select(['id', 'title', 'at as date', 'category', 'source', 'description', 'impact'])
      .select(sql<boolean>`ignored_at is not null`.as('ignored'))
      .select(['all_day as allDay', 'estimated as dateEstimated', 'source_url as sourceUrl', 'why'])
      .where('deleted_at', 'is', null)
      // An integer column: a bound beyond it is none.
      .where('id', '<', Math.min(below, 2_147_483_647))
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute(),
  );

type MetricRow = {
  metric: string;
  source: string;
  observedAt: string;
  value: number;
  detail: Record<string, unknown> | null;
  fetchedAt: string;
  method: string;
};

/** Stored readings of a family of metrics, newest first. */
export async function* metricPages(db: Db, family: 'fear_greed' | 'trending_narratives'): AsyncGenerator<MetricRow[]> {
  let last: (MetricRow & { exactly: string }) | undefined;
  for (;;) {
    const below = last
      ? sql`and (observed_at, metric, source) < (${last.exactly}::timestamptz, ${last.metric}::text, ${last.source}::text)`
      : sql``;
    const { rows } = await sql<MetricRow & { exactly: string }>`
      select metric, source, observed_at as "observedAt", observed_at::text as exactly, value, detail,
        fetched_at as "fetchedAt", method
      from ${SOURCES[family]} ${below}
      order by observed_at desc, metric desc, source desc limit ${PAGE}::int`.execute(db);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}
