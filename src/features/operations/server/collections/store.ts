import { type RawBuilder, sql } from 'kysely';

import '#kernel/error-store.ts';
import { EXACT_UP_TO, type Overview } from '#features/operations/contract/collections.ts';
import type { Db } from '#kernel/db.ts';

export type Count = { count: number; estimated: boolean };

/** The `from` and `where` of each collection. */
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

/** Exact up to `EXACT_UP_TO`; beyond it a planner estimate from statistics and file size. */
export async function countRows(db: Db, source: RawBuilder<unknown>): Promise<Count> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from ${source} limit ${EXACT_UP_TO + 1}::int) few`.execute(db);
  const count = rows[0]?.count ?? 0;
  if (count <= EXACT_UP_TO) return { count, estimated: false };
  const plan = await sql<{
    'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
  }>`explain (format json) select 1 from ${source}`.execute(db);
  return { count: Math.max(count, plan.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), estimated: true };
}

export type PriceRecord = {
  coin: string;
  symbol: string;
  name: string;
  price: number;
  change_24h: number | null;
  volume_24h: number | null;
  market_cap: number | null;
  source: string;
  observedAt: string;
  fetchedAt: string;
  method: string;
};

const FIRST_SPAN_MS = 60_000;
const MIN_SPAN_MS = 1_000;
const MAX_SPAN_MS = 30 * 86_400_000;
const FEW = 1_000;
const MANY = 4_000;

/** Time of the newest price up to `upTo`; one primary-key step per coin. */
async function newestAt(db: Db, upTo: string): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select max(o.observed_at) as at from coins k, lateral (
      select p.observed_at from price_observations p where p.coin_key = k.key and p.observed_at <= ${upTo}::timestamptz
      order by p.observed_at desc limit 1) o`.execute(db);
  return rows[0]?.at ?? null;
}

/** Every stored price, newest first, in time spans adapted to their density; the table has no index by time alone. */
export async function* pricePages(db: Db): AsyncGenerator<PriceRecord[]> {
  let upTo = 'infinity';
  let spanMs = FIRST_SPAN_MS;
  for (;;) {
    const newest = await newestAt(db, upTo);
    if (newest === null) return;
    const after = new Date(Date.parse(newest) - spanMs).toISOString();
    const { rows } = await sql<PriceRecord>`
      select k.id as coin, k.symbol, k.name, o.price, o.change_24h, o.volume_24h, o.market_cap, o.source,
        o.observed_at as "observedAt", o.fetched_at as "fetchedAt", o.method
      from coins k, lateral (
        select * from price_observations p where p.coin_key = k.key
          and p.observed_at > ${after}::timestamptz and p.observed_at <= ${upTo}::timestamptz) o
      order by o.observed_at desc, k.rank nulls last, k.key, o.source`.execute(db);
    yield rows;
    upTo = after;
    if (rows.length < FEW) spanMs = Math.min(MAX_SPAN_MS, spanMs * 2);
    if (rows.length > MANY) spanMs = Math.max(MIN_SPAN_MS, Math.floor(spanMs / 2));
  }
}

const DAY_MS = 86_400_000;
const SIGN_UP_DAYS = 7;

/** New accounts per UTC day over the last days, today included; days without any are zero. */
export async function signUpsByDay(db: Db, now: Date): Promise<Overview['signUps']> {
  const { rows } = await sql<{ day: string; count: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, count(u.id)::int as count
    from generate_series(0, ${SIGN_UP_DAYS - 1}::int) i,
      lateral (select date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') at time zone 'UTC' - i * interval '1 day' as day) d
      left join users u on u.created_at >= d.day at time zone 'UTC' and u.created_at < (d.day + interval '1 day') at time zone 'UTC'
    group by d.day order by d.day`.execute(db);
  return rows;
}

/** Unresolved errors by type seen in the 24 hours before `now`; each counted once. */
export async function countDailyErrors(db: Db, now: Date): Promise<Overview['errors']> {
  const rows = await db
    .selectFrom('error_groups')
    .select(['type', sql<number>`count(*)::int`.as('count')])
    .where('resolved_at', 'is', null)
    .where('last_seen', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .groupBy('type')
    .execute();
  const counts = { api_failure: 0, data_collection: 0, authentication: 0, system: 0, other: 0 };
  for (const { type, count } of rows) counts[type] = count;
  return counts;
}

type Failures = Pick<Overview, 'failedJobs' | 'failedDeliveries' | 'failedMails' | 'unreadMessages'>;

/** Jobs of the last day by the database clock, which writes their times. */
export async function countFailures(db: Db): Promise<Failures> {
  const { rows } = await sql<Failures>`select
    (select count(*)::int from pgboss.job where state = 'failed' and completed_on > now() - interval '1 day') as "failedJobs",
    (select count(*)::int from notification_deliveries where state = 'failed') as "failedDeliveries",
    (select count(*)::int from mail_outbox where state = 'failed') as "failedMails",
    (select count(*)::int from contact_messages where status = 'new') as "unreadMessages"`.execute(db);
  return rows[0] as Failures;
}

/** Final deposits without an owner, in micro-dollars. */
export async function sumSuspense(db: Db): Promise<{ count: number; units: bigint }> {
  const { rows } = await sql<{ count: number; units: string }>`
    select count(*)::int as count, coalesce(sum(units), 0)::text as units from usdc_deposits
    where is_credited and payment_id is null and owner_id is null`.execute(db);
  const { count = 0, units = '0' } = rows[0] ?? {};
  return { count, units: BigInt(units) };
}

/** Rows of a table with an ascending id, newest first, with only the named columns. */
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

/** Entitlement facts; a plan is their fold. */
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

/** Includes ignored events; deleted ones are gone. */
export const eventPages = (db: Db) =>
  byId((below) =>
    db
      .selectFrom('events')
      .select(['id', 'title', 'at as date', 'category', 'source', 'description', 'impact'])
      .select(sql<boolean>`ignored_at is not null`.as('ignored'))
      .select(['all_day as allDay', 'estimated as dateEstimated', 'source_url as sourceUrl', 'why'])
      .where('deleted_at', 'is', null)
      // An integer column: a larger bound would overflow.
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
