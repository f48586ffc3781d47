import { sql } from 'kysely';

import type { ChannelName } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { Queue } from '../channel.ts';
import type { StoredState } from '../schema.ts';
import { ANNOUNCEMENTS, isChosen, isInPlan, isOpen, isSwitchedOn, selectPlanRank } from './audience.ts';
import { type NoticeRow, noticeColumns } from './log.ts';

export type Claimed = NoticeRow & {
  id: number;
  user_id: number;
  event_id: number;
  channel: ChannelName;
  tries: number;
  queued_at: string;
  restarted_at: string | null;
  is_expired: boolean;
  /** Channel still enabled and chosen. */
  is_wanted: boolean;
  is_in_plan: boolean;
  /** The account is not disabled. */
  is_open: boolean;
  is_withdrawn: boolean;
};

type Wanted = {
  channel: ChannelName;
  line?: Queue | undefined;
  batch: number;
  perSecond: number | null;
  /**
   * Also claims, beyond `batch`, all other due reminders of a user with one in it. Ignored for rate-limited channels.
   */
  gathersReminders?: true | undefined;
  now: Date;
  until: Date;
};

/** Fraction of the rate that announcements leave for news. */
const RESERVE = 0.25;
const inLine = (line: Queue) => (line === 'news' ? sql`lane < ${ANNOUNCEMENTS}` : sql`lane >= ${ANNOUNCEMENTS}`);

/** Burst size after an idle period. */
export const burstSize = (perSecond: number): number => Math.max(1, perSecond);

export async function createRateLimit(db: Db, channel: ChannelName, perSecond: number, now: Date): Promise<void> {
  await sql`insert into channel_paces (channel, tokens, refilled_at)
    values (${channel}, ${burstSize(perSecond)}, ${now.toISOString()}::timestamptz) on conflict do nothing`.execute(db);
}

/**
 * Leases due deliveries to one worker until `until`, first lane first, within the channel's rate. Announcements leave a
 * reserve.
 */
export async function claimDeliveries(
  db: Db,
  { channel, line = 'news', batch, perSecond, gathersReminders, now, until }: Wanted,
): Promise<Claimed[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  // A clock set back neither adds nor removes tokens.
  const filled =
    perSecond === null
      ? sql`0`
      : sql`least(${burstSize(perSecond)}::float8, tokens + greatest(0, extract(epoch from ${at} - refilled_at)) * ${perSecond}::float8)`;
  const reserved = line === 'news' || perSecond === null ? 0 : Math.floor(perSecond * RESERVE);
  const limit =
    perSecond === null
      ? sql`${batch}::int`
      : sql`least(${batch}::int, (select greatest(0, floor(tokens - ${reserved}::float8))::int from pace))`;

  const pace =
    perSecond === null
      ? sql``
      : sql`pace as (select ${filled} as tokens from channel_paces where channel = ${channel} for update),`;
  const spent =
    perSecond === null
      ? sql``
      : sql`, spent as (update channel_paces set tokens = ${filled} - (select count(*) from lent), refilled_at = greatest(refilled_at, ${at})
          where channel = ${channel} and exists (select from lent))`;
  const isDue = sql`channel = ${channel} and ${inLine(line)} and state = 'due' and due_at <= ${at}
    and (locked_until is null or locked_until <= ${at})`;
  const isReminder = (event: string) =>
    sql`exists (select from notification_events e where e.id = ${sql.ref(event)} and e.category = 'events')`;
  const [gathering, gathered] =
    gathersReminders && perSecond === null
      ? [
          sql`gathered as materialized (select id from notification_deliveries
            where user_id in (select user_id from picked where ${isReminder('picked.event_id')})
              and ${isDue} and ${isReminder('event_id')} and id not in (select id from picked) for update skip locked),`,
          sql`union all select id from gathered`,
        ]
      : [sql``, sql``];
  const { rows } = await sql<Claimed>`with ${pace}
    picked as materialized (select id, user_id, event_id from notification_deliveries
      where ${isDue}
      order by lane, due_at limit ${limit} for update skip locked),
    ${gathering}
    lent as (update notification_deliveries d set tries = tries + 1, locked_until = ${until.toISOString()}::timestamptz
      from (select id from picked ${gathered}) claimed where d.id = claimed.id returning d.*)
    ${spent}
    select d.id, d.user_id, d.event_id, d.channel, d.tries, d.queued_at, d.restarted_at, d.expires_at <= ${at} as is_expired,
      (${isSwitchedOn(sql.ref('d.channel'))}) and (${isChosen(sql.ref('d.channel'))}) as is_wanted,
      ${isInPlan(sql.ref('d.channel'))} as is_in_plan, ${isOpen} as is_open, e.withdrawn_at is not null as is_withdrawn, ${noticeColumns}
    from lent d
      join users u on u.id = d.user_id
      join notification_events e on e.id = d.event_id
      left join alerts a on a.id = e.alert_id
      cross join lateral (${selectPlanRank(now)}) p
    order by d.lane, d.due_at, d.id`.execute(db);
  return rows;
}

/** Returns tokens for deliveries that were claimed and not sent. */
export async function releaseRateTokens(db: Db, channel: ChannelName, count: number): Promise<void> {
  await sql`update channel_paces set tokens = tokens + ${count} where channel = ${channel}`.execute(db);
}

/** When the next one is due, if before `limit`. */
export async function nextDue(
  db: Db,
  channel: ChannelName,
  limit: Date,
  line: Queue = 'news',
): Promise<Date | undefined> {
  const lanes = line === 'news' ? sql`'{0,1}'::smallint[]` : sql`array[${ANNOUNCEMENTS}]`;
  const { rows } = await sql<{ at: string | null }>`select min(at) as at from (
      select (select min(greatest(due_at, locked_until)) from notification_deliveries
        where channel = ${channel} and lane = each and state = 'due' and due_at <= ${limit.toISOString()}::timestamptz) as at
      from unnest(${lanes}) each) lanes`.execute(db);
  const at = rows[0]?.at;
  return at ? new Date(at) : undefined;
}

export type Settled = {
  id: number;
  /** The attempt this outcome belongs to: a later attempt is not affected by it. */
  tries: number;
  state: StoredState;
  note: string | null;
  /** When it is retried. */
  dueAt: Date | null;
};

/** One statement for a whole batch. Already settled deliveries are unchanged; returns how many changed. */
export async function settleDeliveries(db: Db, settled: readonly Settled[], now: Date): Promise<number> {
  if (settled.length === 0) return 0;
  const column = <T>(of: (each: Settled) => T): T[] => settled.map(of);
  const { numAffectedRows } = await sql`update notification_deliveries d
    set state = s.state, note = s.note, due_at = coalesce(s.due_at, d.due_at), locked_until = null,
      sent_at = case when s.state = 'sent' then ${now.toISOString()}::timestamptz end
    from unnest(${column(({ id }) => id)}::bigint[], ${column(({ state }) => state)}::text[], ${column(({ note }) => note)}::text[],
      ${column(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[], ${column(({ tries }) => tries)}::int[])
      s (id, state, note, due_at, tries)
    where d.id = s.id and (d.tries = s.tries or s.state = 'sent') and d.state in ('due', 'handed')`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Number of attempts; undefined when it is settled or its recipient was deleted. */
export async function readTries(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`select tries from notification_deliveries
    where id = ${id}::bigint and state in ('due', 'handed') for update`.execute(db);
  return rows[0]?.tries;
}

/** Restarts a failed delivery with a new expiry for its alert. False when it did not fail. */
export async function restartDelivery(db: Db, id: number, now: Date, until: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update notification_deliveries d set state = 'due', tries = 0, note = null, locked_until = null,
      due_at = ${now.toISOString()}::timestamptz, restarted_at = ${now.toISOString()}::timestamptz,
      expires_at = case when e.category = 'events' then d.expires_at else greatest(d.expires_at, ${until.toISOString()}::timestamptz) end
    from notification_events e where e.id = d.event_id and d.id = ${id}::bigint and d.state = 'failed'`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

export const ACCOUNT_DISABLED = 'The account was disabled';

/** Drops all pending deliveries of a user. One being sent at this moment stays dropped, whatever its outcome. */
export async function dropPending(tx: Db, userId: number): Promise<number> {
  const { numAffectedRows } =
    await sql`update notification_deliveries set state = 'dropped', note = ${ACCOUNT_DISABLED}, locked_until = null
    where user_id = ${userId}::bigint and state in ('due', 'digest', 'handed')`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function peopleWithDigest(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`select distinct user_id from notification_deliveries
    where state = 'digest' and due_at <= ${now.toISOString()}::timestamptz order by user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/**
 * Oldest first. A second caller waits for the first: skipping its locked rows would split the digest into two emails.
 */
export async function readGathered(tx: Db, userId: number, now: Date): Promise<Claimed[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await sql<Claimed>`with lent as (
      update notification_deliveries set state = 'due', tries = tries + 1 where id in (
        select id from notification_deliveries where user_id = ${userId}::bigint and state = 'digest' and due_at <= ${at}
        order by id for update) returning *)
    select d.id, d.user_id, d.event_id, d.channel, d.tries, d.queued_at, false as is_expired,
      (${isSwitchedOn(sql.ref('d.channel'))}) and (${isChosen(sql.ref('d.channel'))}) as is_wanted,
      ${isInPlan(sql.ref('d.channel'))} as is_in_plan, ${isOpen} as is_open, e.withdrawn_at is not null as is_withdrawn, ${noticeColumns}
    from lent d
      join users u on u.id = d.user_id
      join notification_events e on e.id = d.event_id
      left join alerts a on a.id = e.alert_id
      cross join lateral (${selectPlanRank(now)}) p
    order by d.queued_at, d.id`.execute(tx);
  return rows;
}
