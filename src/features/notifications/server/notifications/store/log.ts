import { type RawBuilder, sql } from 'kysely';
import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Category, ChannelLatency, ChannelName } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { Notice } from '../channel.ts';
import type { StoredState } from '../schema.ts';
import { ANNOUNCEMENTS } from './audience.ts';

/** Source of a notice: its outbox row `e`, and its alert `a` if any. */
export type NoticeRow = {
  kind: string;
  category: Category | 'events' | 'announcements';
  severity: Severity;
  payload: {
    message?: string;
    metric?: string | null;
    value?: number | null;
    eventDate?: string | null;
    notice?: Omit<Notice, 'kind' | 'category' | 'severity'>;
  };
  raised_at: string;
  alert_id: number | null;
  source: string | null;
  source_at: string | null;
  detail: { gate?: string; seen?: { series: string }[] } | null;
};

export const noticeColumns: RawBuilder<unknown> = sql`e.kind, e.category, e.severity, e.payload, e.created_at as raised_at, e.alert_id, a.source, a.source_at,
  a.detail`;

export type Logged = NoticeRow & {
  id: number;
  user_id: number;
  channel: ChannelName;
  state: StoredState;
  due_at: string;
  held: boolean;
  tries: number;
  queued_at: string;
  sent_at: string | null;
  note: string | null;
};

const loggedColumns = sql`d.id, d.user_id, d.channel, d.state, d.due_at, d.held, d.tries, d.queued_at, d.sent_at, d.note, ${noticeColumns}`;
const LAST = Number.MAX_SAFE_INTEGER;

/** Newest first. */
export function selectDeliveries(userId: number, limit: number, before = LAST): RawBuilder<Logged> {
  return sql<Logged>`select ${loggedColumns}
    from (select * from notification_deliveries where user_id = ${userId}::bigint and id < ${before}::bigint
      order by id desc limit ${limit}) d
    join notification_events e on e.id = d.event_id left join alerts a on a.id = e.alert_id
    order by d.id desc`;
}

const failedBy = (channel: ChannelName | undefined) =>
  sql`d.state = 'failed' and (${channel ?? null}::text is null or d.channel = ${channel ?? null}::text)`;

export async function failedDeliveries(db: Db, channel: ChannelName | undefined, limit: number) {
  const { rows } = await sql<Logged & { email: string }>`select ${loggedColumns}, u.email
    from (select * from notification_deliveries d where ${failedBy(channel)} order by id desc limit ${limit}) d
    join notification_events e on e.id = d.event_id left join alerts a on a.id = e.alert_id join users u on u.id = d.user_id
    order by d.id desc`.execute(db);
  return rows;
}

export async function countFailed(db: Db, channel: ChannelName | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notification_deliveries d
    where ${failedBy(channel)}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function findDelivery(db: Db, id: number): Promise<(Logged & { email: string }) | undefined> {
  const { rows } = await sql<Logged & { email: string }>`select ${loggedColumns}, u.email
    from notification_deliveries d join notification_events e on e.id = d.event_id left join alerts a on a.id = e.alert_id
    join users u on u.id = d.user_id where d.id = ${id}::bigint`.execute(db);
  return rows[0];
}

/** Deliveries accepted since then that were not held by quiet hours or a digest. */
export async function latencies(db: Db, from: Date): Promise<ChannelLatency[]> {
  const { rows } = await sql<{ channel: ChannelName; n: number; p: number[] }>`select channel, count(*)::int as n,
      percentile_cont('{0.5,0.95,0.99}'::float8[]) within group (order by extract(epoch from sent_at - queued_at) * 1000) as p
    from notification_deliveries where state = 'sent' and not held and lane < ${ANNOUNCEMENTS} and sent_at >= ${from.toISOString()}::timestamptz
    group by channel`.execute(db);
  return rows.map(({ channel, n, p: [p50Ms = null, p95Ms = null, p99Ms = null] }) => ({
    channel,
    n,
    p50Ms,
    p95Ms,
    p99Ms,
  }));
}

/** Number of open streams reached by alerts, per latency in milliseconds. */
export async function addHandings(db: Db, at: Date, streamsAfterMs: ReadonlyMap<number, number>): Promise<void> {
  await sql`insert into in_app_handings (handed_at, ms, streams)
    select ${at.toISOString()}::timestamptz, * from unnest(${[...streamsAfterMs.keys()]}::int[], ${[...streamsAfterMs.values()]}::int[])`.execute(
    db,
  );
}

export async function inAppLatency(db: Db, from: Date): Promise<ChannelLatency> {
  const { rows } = await sql<{ ms: number; share: number; n: number }>`select ms, n,
      sum(streams) over (order by ms)::float8 / n as share
    from (select ms, sum(streams) as streams, sum(sum(streams)) over ()::float8 as n from in_app_handings
      where handed_at >= ${from.toISOString()}::timestamptz group by ms) each order by ms`.execute(db);
  const at = (share: number) => rows.find((row) => row.share >= share)?.ms ?? null;
  return { channel: 'in-app', n: rows[0]?.n ?? 0, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

export type SentReminder = { eventId: number; channel: ChannelName; sentAt: string };

/** Of one window of days, oldest first. */
export async function readReminders(db: Db, userId: number, days: number): Promise<SentReminder[]> {
  const { rows } =
    await sql<SentReminder>`select substr(e.subject, 7)::int as "eventId", d.channel, d.sent_at as "sentAt"
    from notification_deliveries d join notification_events e on e.id = d.event_id
    where d.user_id = ${userId}::bigint and d.sent_at is not null and e.category = 'events' and e.subject like 'event:%'
      and (e.payload->>'window')::int = ${days}::int
    order by d.sent_at, d.id`.execute(db);
  return rows;
}

const PART = 5000;

/** Ids ascend with time: the oldest are checked until one is recent enough. */
async function deleteOldest(
  db: Db,
  table: 'notification_deliveries' | 'notification_events',
  limit: Date,
): Promise<void> {
  for (let deleted = PART; deleted === PART; ) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id in (
      select id from (select id, created_at from ${sql.table(table)} order by id limit ${PART}) oldest
      where created_at < ${limit.toISOString()}::timestamptz)`.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
}

export async function deleteOldDeliveries(db: Db, limit: Date): Promise<void> {
  await deleteOldest(db, 'notification_deliveries', limit);
  await deleteOldest(db, 'notification_events', limit);
  await sql`delete from in_app_handings where handed_at < ${limit.toISOString()}::timestamptz`.execute(db);
}
