import { type Generated, type JSONColumnType, type RawBuilder, type Selectable, sql } from 'kysely';

import { type AlertCounts, type AlertType, MOST_COUNTED, type Severity } from '#features/alerts/contract/alerts.ts';
import type { Db, Tables } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';

import type { AlertDraft, Gate } from './raise.ts';

interface AlertsTable {
  id: Generated<number>;
  user_id: number | null;
  rule_id: number | null;
  once: string;
  type: AlertType;
  severity: Severity;
  message: string;
  metric: string;
  value: number | null;
  event_id: number | null;
  event_date: string | null;
  detail: JSONColumnType<Record<string, unknown>> | null;
  source: string;
  method: Method;
  source_at: string;
  received_at: string;
  evaluated_at: string;
  queued_at: string;
}

interface AlertAcknowledgementsTable {
  user_id: number;
  alert_id: number;
  at: string;
}

interface AlertGatesTable {
  gate: string;
  step: number;
  told_step: number;
  told_at: string | null;
  value: number | null;
  updated_at: string;
}

interface NotificationEventsTable {
  id: Generated<number>;
  dedupe_key: string;
  kind: string;
  severity: string;
  user_id: number | null;
  alert_id: number | null;
  payload: JSONColumnType<Record<string, unknown>>;
  created_at: string;
  expires_at: string | null;
}

declare module '#kernel/db.ts' {
  interface Tables {
    alerts: AlertsTable;
    alert_acknowledgements: AlertAcknowledgementsTable;
    alert_gates: AlertGatesTable;
    notification_events: NotificationEventsTable;
  }
}

export type StoredAlert = Selectable<Tables['alerts']>;

/** Market alerts concern a moment: after an hour they are outdated. */
const FRESH_SECONDS = 3600;

/** Inserts new alerts with their outbox rows; ids ascend in commit order. */
export async function addAlerts(tx: Db, drafts: readonly AlertDraft[], queuedAt: Date): Promise<StoredAlert[]> {
  // Held to the commit: a lower id never appears after a higher one was read.
  await sql`select pg_advisory_xact_lock(7246011)`.execute(tx);
  const time = (at: Date) => at.toISOString();
  const column = <T>(of: (draft: AlertDraft) => T): T[] => drafts.map(of);
  // A single statement: parameters are limited to 65,535, and a round number may fire for more users.
  const { rows } =
    await sql<StoredAlert>`with raised as (insert into alerts (user_id, rule_id, once, type, severity, message, metric, value, event_id,
      event_date, detail, source, method, source_at, received_at, evaluated_at, queued_at)
    select d.user_id, d.rule_id, d.once, d.type, d.severity, d.message, d.metric, d.value, d.event_id, d.event_date, d.detail, d.source,
      d.method, d.source_at, d.received_at, d.evaluated_at, ${time(queuedAt)}::timestamptz
    from unnest(${column(({ own }) => own?.userId ?? null)}::bigint[], ${column(({ own }) => own?.ruleId ?? null)}::bigint[],
      ${column(({ idempotencyKey }) => idempotencyKey)}::text[], ${column(({ type }) => type)}::text[], ${column(({ severity }) => severity)}::text[],
      ${column(({ message }) => message)}::text[], ${column(({ metric }) => metric)}::text[], ${column(({ value }) => value)}::float8[],
      ${column(({ event }) => event?.id ?? null)}::int[], ${column(({ event }) => event?.date ?? null)}::timestamptz[],
      ${column(({ detail }) => (detail ? JSON.stringify(detail) : null))}::jsonb[], ${column(({ source }) => source)}::text[],
      ${column(({ method }) => method)}::text[], ${column(({ sourceAt }) => time(sourceAt))}::timestamptz[],
      ${column(({ receivedAt }) => time(receivedAt))}::timestamptz[], ${column(({ evaluatedAt }) => time(evaluatedAt))}::timestamptz[]
    ) with ordinality d (user_id, rule_id, once, type, severity, message, metric, value, event_id, event_date, detail, source, method,
      source_at, received_at, evaluated_at, place)
    order by d.place
    on conflict (once) do nothing returning *), told as (
    insert into notification_events (dedupe_key, kind, severity, user_id, alert_id, payload, created_at, expires_at)
    select 'alert:' || once, type, severity, user_id, id,
      jsonb_build_object('message', message, 'metric', metric, 'value', value, 'eventDate',
        to_char(event_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), queued_at,
      coalesce(event_date, queued_at + make_interval(secs => ${FRESH_SECONDS}))
    from raised order by id)
    select * from raised order by id`.execute(tx);
  return rows;
}

type Page = { limit: number; before?: number | undefined };
type Sent = { channel: 'email' | 'push' | 'telegram' | 'webhook'; sent_at: string };
type Listed = StoredAlert & { acknowledged: boolean; deliveries: Sent[] };

/** Newest first: market alerts and one user's own, each read from its own index. */
export function selectAlerts(userId: number, { limit, before = Number.MAX_SAFE_INTEGER }: Page): RawBuilder<Listed> {
  return sql<Listed>`select a.*, k.alert_id is not null as acknowledged, sent.deliveries from (
      (select * from alerts where user_id is null and id < ${before}::bigint order by id desc limit ${limit})
      union all
      (select * from alerts where user_id = ${userId}::bigint and id < ${before}::bigint order by id desc limit ${limit})
    ) a left join alert_acknowledgements k on k.user_id = ${userId}::bigint and k.alert_id = a.id
    cross join lateral (select coalesce(json_agg(json_build_object('channel', d.channel, 'sent_at', d.sent_at) order by d.sent_at, d.id), '[]')
      as deliveries from notification_events e join notification_deliveries d on d.event_id = e.id
      where e.alert_id = a.id and d.user_id = ${userId}::bigint and d.sent_at is not null) sent
    order by a.id desc limit ${limit}`;
}

/** Over the newest 1,000 market alerts and the newest 1,000 of one user. */
export async function readCounts(db: Db, userId: number, seen: number): Promise<AlertCounts> {
  const { rows } = await sql<AlertCounts>`select count(*)::int as total,
      count(*) filter (where k.alert_id is null and a.id > ${seen}::bigint)::int as unread, coalesce(max(a.id), 0)::int as newest from (
      (select id from alerts where user_id is null order by id desc limit ${MOST_COUNTED})
      union all
      (select id from alerts where user_id = ${userId}::bigint order by id desc limit ${MOST_COUNTED})
    ) a left join alert_acknowledgements k on k.user_id = ${userId}::bigint and k.alert_id = a.id`.execute(db);
  return rows[0] ?? { total: 0, unread: 0, newest: 0 };
}

/** The newest market alert written before the moment. */
export const findShared = (db: Db, before: Date): Promise<StoredAlert | undefined> =>
  db
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', 'is', null)
    .where('queued_at', '<', before.toISOString())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** False for an alert that does not exist or belongs to another user. */
export async function acknowledge(db: Db, userId: number, alertId: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    with found as (select id from alerts where id = ${alertId}::bigint and (user_id is null or user_id = ${userId})),
    added as (insert into alert_acknowledgements (user_id, alert_id, at)
      select ${userId}::bigint, id, ${at.toISOString()}::timestamptz from found on conflict do nothing)
    select id from found`.execute(db);
  return rows.length > 0;
}

const GATES_LOCK = 7_246_012;

/** Locked until commit, so that only one process evaluates. */
export async function lockGates(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${GATES_LOCK})`.execute(tx);
}

export async function findGates(db: Db, names: readonly string[]): Promise<Map<string, Gate>> {
  const rows = await db
    .selectFrom('alert_gates')
    .selectAll()
    .where('gate', '=', sql<string>`any(${[...names]}::text[])`)
    .execute();
  return new Map(
    rows.map(({ gate, step, told_step, told_at }) => [
      gate,
      { step, alertedStep: told_step, alertedAt: told_at === null ? null : new Date(told_at) },
    ]),
  );
}

export async function saveGates(
  tx: Db,
  gates: ReadonlyMap<string, Gate & { value: number | null }>,
  at: Date,
): Promise<void> {
  if (gates.size === 0) return;
  const rows = [...gates].map(([gate, { step, alertedStep, alertedAt, value }]) => ({
    gate,
    step,
    told_step: alertedStep,
    told_at: alertedAt?.toISOString() ?? null,
    value,
    updated_at: at.toISOString(),
  }));
  await tx
    .insertInto('alert_gates')
    .values(rows)
    .onConflict((oc) =>
      oc.column('gate').doUpdateSet((eb) => ({
        step: eb.ref('excluded.step'),
        told_step: eb.ref('excluded.told_step'),
        told_at: eb.ref('excluded.told_at'),
        value: eb.ref('excluded.value'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

const PART = 5000;

/** Ids ascend with time: the oldest are checked until one is recent enough. */
export async function deleteOldAlerts(db: Db, limit: Date): Promise<void> {
  for (let deleted = PART; deleted === PART; ) {
    const { numAffectedRows } = await sql`delete from alerts where id in (
      select id from (select id, queued_at from alerts order by id limit ${PART}) oldest
      where queued_at < ${limit.toISOString()})`.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
}

/** Deletes gates of events long past. */
export async function deleteGates(db: Db, limit: Date): Promise<void> {
  await db
    .deleteFrom('alert_gates')
    .where('gate', 'like', 'UPCOMING_EVENT:%')
    .where('updated_at', '<', limit.toISOString())
    .execute();
}
