import { sql } from 'kysely';

import type { Overview } from '#features/operations/contract/collections.ts';
import type { Db } from '#kernel/db.ts';
import '#kernel/error-store.ts';

const DAY_MS = 86_400_000;
const SIGN_UP_DAYS = 7;

/** New accounts of each of the last UTC days, today included; a day without any is there with zero. */
export async function signUpsByDay(db: Db, now: Date): Promise<Overview['signUps']> {
  const { rows } = await sql<{ day: string; count: number }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, count(u.id)::int as count
    from generate_series(0, ${SIGN_UP_DAYS - 1}::int) i,
      lateral (select date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') at time zone 'UTC' - i * interval '1 day' as day) d
      left join users u on u.created_at >= d.day at time zone 'UTC' and u.created_at < (d.day + interval '1 day') at time zone 'UTC'
    group by d.day order by d.day`.execute(db);
  return rows;
}

/** Failures that nobody has settled, by type, which were seen since a day before `now`; each once, however often it was. */
export async function errorsOfADay(db: Db, now: Date): Promise<Overview['errors']> {
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

/** Jobs of the last day by the clock of the database, which writes their times. */
export async function countFailures(db: Db): Promise<Failures> {
  const { rows } = await sql<Failures>`select
    (select count(*)::int from pgboss.job where state = 'failed' and completed_on > now() - interval '1 day') as "failedJobs",
    (select count(*)::int from notification_deliveries where state = 'failed') as "failedDeliveries",
    (select count(*)::int from mail_outbox where state = 'failed') as "failedMails",
    (select count(*)::int from contact_messages where status = 'new') as "unreadMessages"`.execute(db);
  return rows[0] as Failures;
}

/** Final money that belongs to nobody yet, in micro-dollars. */
export async function sumSuspense(db: Db): Promise<{ count: number; units: bigint }> {
  const { rows } = await sql<{ count: number; units: string }>`
    select count(*)::int as count, coalesce(sum(units), 0)::text as units from usdc_deposits
    where is_credited and payment_id is null and owner_id is null`.execute(db);
  const { count = 0, units = '0' } = rows[0] ?? {};
  return { count, units: BigInt(units) };
}
