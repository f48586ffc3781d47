import { type RawBuilder, sql } from 'kysely';
import type { ChannelName } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';
import { ANNOUNCEMENTS, isChosen, isCovered, isInPlan, isOpen, isSwitchedOn, ranksAt } from './audience.ts';
import '../schema.ts';

export type Reached = { name: ChannelName; reach: RawBuilder<{ user_id: number }> };

/** Accounts per statement. */
const SHARD = 10_000;
/** Personal notices per statement. */
const PERSONAL = 1000;

/** Restricts the recipients: a condition on a user id column. */
type Among = (column: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * Adds the deliveries of the notices `which` for one channel; existing ones are unchanged. Returns how many are new.
 */
async function addDeliveries(
  tx: Db,
  { name, reach }: Reached,
  now: Date,
  { which, own, among }: { which: RawBuilder<unknown>; own: boolean; among: Among },
): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const channel = sql<string>`${name}::text`;
  const person = sql.ref('u.id');
  const zone = sql`u.notification_preferences->>'timeZone'`;
  const quiet = sql`u.notification_preferences->'quietHours'`;
  const digest = sql`u.notification_preferences->'digest'`;
  const afterQuiet = (moment: RawBuilder<unknown>) =>
    sql`case when (${quiet}->>'enabled')::bool then quiet_end(${moment}, ${zone}, (${quiet}->>'from')::time, (${quiet}->>'to')::time)
      else ${moment} end`;
  const nextDigest = sql`next_digest(${at}, ${zone}, ${digest}->>'every', (${digest}->>'hour')::int, (${digest}->>'weekday')::int)`;
  const { numAffectedRows } = await sql`insert into notification_deliveries
      (event_id, user_id, channel, lane, state, due_at, expires_at, held, queued_at, created_at)
    select event_id, user_id, ${channel}, lane, case when gathered_at is null then 'due' else 'digest' end,
      coalesce(gathered_at, quiet_until),
      case when gathered_at is not null then null when category = 'events' then expires_at
        else expires_at + (quiet_until - ${at}) end,
      gathered_at is not null or quiet_until > ${at}, created_at, ${at}
    from (select e.id as event_id, u.id as user_id, case when e.category = 'announcements' then ${ANNOUNCEMENTS} when p.rank >= 2 then 0 else 1 end as lane, e.category, e.expires_at, e.created_at,
        case when e.severity = 'high' and (${quiet}->>'letHighThrough')::bool then ${at} else ${afterQuiet(at)} end as quiet_until,
        -- what would be over before it goes out with others goes by itself
        case when g.gathered_at < e.expires_at or e.category <> 'events' then g.gathered_at end as gathered_at
      from (${which}) e
        join users u on ${among(person)} and ${own ? sql`u.id = e.user_id` : sql`true`}
        left join (${ranksAt(now, among(sql.ref('user_id')))}) p on p.user_id = u.id
        cross join lateral (select case when ${channel} = 'email' and e.severity <> 'high' and ${digest}->>'every' <> 'off'
          then ${afterQuiet(nextDigest)} end as gathered_at) g
      where ${isOpen} and ${isSwitchedOn(channel)} and ${isChosen(channel)} and ${isInPlan(channel)} and not ${isCovered}
        and exists (select from (${reach}) reached where reached.user_id = u.id and ${among(sql.ref('reached.user_id'))})
    ) placed
    on conflict (event_id, user_id, channel) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Not before the notices were raised: the clock of the process that raised them may be ahead of this one. */
const latest = (now: Date, raisedAt: readonly string[]): Date =>
  new Date(Math.max(now.getTime(), ...raisedAt.map((at) => Date.parse(at))));

type PendingEvent = { id: number; fanned_to: number; created_at: string };

/**
 * The oldest pending notice for everyone that no other worker holds, announcements last, locked to the end of the
 * transaction.
 */
async function nextShared(tx: Db, now: Date): Promise<PendingEvent | undefined> {
  const at = now.toISOString();
  // Notices that expired before fan-out are not sent to anyone.
  await sql`update notification_events set fanned_at = ${at}::timestamptz where id in (
    select id from notification_events where fanned_at is null and (expires_at <= ${at}::timestamptz or category = 'none')
    for update skip locked)`.execute(tx);
  const { rows } =
    await sql<PendingEvent>`select id, fanned_to, created_at from notification_events where fanned_at is null and user_id is null
    order by category = 'announcements', id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** Fans out one shard of one notice for everyone; undefined when none is pending. Requires a transaction. */
export async function fanShared(tx: Db, channels: readonly Reached[], now: Date): Promise<number | undefined> {
  const waiting = await nextShared(tx, now);
  if (!waiting) return undefined;
  const { rows } = await sql<{ last: number | null; count: number }>`select max(id) as last, count(*)::int as count
    from (select id from users where id > ${waiting.fanned_to} order by id limit ${SHARD}) shard`.execute(tx);
  const { last = null, count = 0 } = rows[0] ?? {};
  const at = latest(now, [waiting.created_at]);
  let added = 0;
  if (last !== null) {
    const among: Among = (column) => sql`${column} > ${waiting.fanned_to}::bigint and ${column} <= ${last}::bigint`;
    const which = sql`select * from notification_events where id = ${waiting.id}::bigint`;
    for (const channel of channels) added += await addDeliveries(tx, channel, at, { which, own: false, among });
  }
  const isDone = count < SHARD;
  await sql`update notification_events set fanned_to = ${last ?? waiting.fanned_to}::bigint,
    fanned_at = ${isDone ? now.toISOString() : null}::timestamptz where id = ${waiting.id}::bigint`.execute(tx);
  return added;
}

/** Fans out notices to single users, many at once; undefined when none is pending. Requires a transaction. */
export async function fanPersonal(tx: Db, channels: readonly Reached[], now: Date): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number;
    user_id: number;
    created_at: string;
  }>`select id, user_id, created_at from notification_events
    where fanned_at is null and user_id is not null order by id limit ${PERSONAL} for update skip locked`.execute(tx);
  if (rows.length === 0) return undefined;
  const ids = rows.map(({ id }) => id);
  const people = [...new Set(rows.map(({ user_id }) => user_id))];
  const among: Among = (column) => sql`${column} = any(${people}::bigint[])`;
  const which = sql`select * from notification_events where id = any(${ids}::bigint[])
    and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`;
  const at = latest(
    now,
    rows.map(({ created_at }) => created_at),
  );
  let added = 0;
  for (const channel of channels) added += await addDeliveries(tx, channel, at, { which, own: true, among });
  await sql`update notification_events set fanned_at = ${now.toISOString()}::timestamptz where id = any(${ids}::bigint[])`.execute(
    tx,
  );
  return added;
}
