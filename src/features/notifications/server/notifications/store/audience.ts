import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { WITHDRAWN } from './announce.ts';

/** 1 pro, 2 premium, 3 admin. */
const PRO = 1;
const PREMIUM = 2;

/** Premium+ and admins are in lane 0, others in 1, announcements after both. */
export const ANNOUNCEMENTS: RawBuilder<number> = sql.lit(2);

/**
 * `user_id` and `rank` of users with a plan at a moment, by the rule of the entitlement facts: the latest fact per
 * source, and the best one in force. Free accounts are not included. `among` is a condition on `user_id`.
 */
export const ranksAt = (at: Date, among: RawBuilder<unknown>): RawBuilder<{ user_id: number; rank: number }> =>
  sql`select user_id, max(rank) as rank from (
      select user_id, case plan when 'premium' then 2 else 1 end as rank from (
        select distinct on (user_id, source) user_id, plan, starts_at, ends_at from entitlements where ${among}
        order by user_id, source, id desc) newest
      where plan <> 'free' and starts_at <= ${at.toISOString()}::timestamptz and (ends_at is null or ends_at > ${at.toISOString()}::timestamptz)
      union all
      select user_id, 3 from (select id as user_id, role from users) people where role = 'admin' and ${among}
    ) ranks group by user_id`;

/** The same for one user `u`, for a lateral join: a few users are looked up one at a time. */
export const selectPlanRank = (at: Date): RawBuilder<{ rank: number | null }> =>
  sql`select case when u.role = 'admin' then 3 else (select max(case plan when 'premium' then 2 else 1 end) from (
      select distinct on (source) plan, starts_at, ends_at from entitlements where user_id = u.id order by source, id desc) newest
    where plan <> 'free' and starts_at <= ${at.toISOString()}::timestamptz and (ends_at is null or ends_at > ${at.toISOString()}::timestamptz))
    end as rank`;

/**
 * Conditions on a user `u`, a notice `e` and the plan `p` (null for free); the channel is a value or that of a
 * delivery.
 */
type Channel = RawBuilder<unknown>;

/** Whether anything may be sent to the user at all. */
export const isOpen: RawBuilder<boolean> = sql`u.disabled_at is null`;

/** Whether the channel's switch is on. Webhooks have no switch: they are enabled by existing. */
export const isSwitchedOn = (channel: Channel): RawBuilder<boolean> =>
  sql`case ${channel} when 'email' then u.notify_email when 'push' then u.notify_push when 'telegram' then u.notify_telegram
    else true end`;

/** Whether the user has chosen this channel for the category. */
export const isChosen = (channel: Channel): RawBuilder<boolean> =>
  sql`case when e.category = 'announcements' then ${channel} = 'telegram' and u.telegram_announcements
    when e.category = 'events' then u.event_notifications and ${channel} = any(u.event_channels)
      and (e.payload->>'window')::smallint = any(u.event_windows)
      and (u.event_impact = 'all' or e.severity = 'high' or (u.event_impact = 'high_medium' and e.severity = 'medium'))
    else coalesce(u.notification_preferences->'categories'->e.category ? ${channel}, false) end`;

/**
 * Product news is for every plan, webhooks for Premium+, an announcement for all or for one plan, everything else for
 * Pro and up.
 */
export const isInPlan = (channel: Channel): RawBuilder<boolean> =>
  sql`case when e.category = 'announcements'
      then e.payload->>'audience' in ('all', ('{free,pro,premium,admin}'::text[])[coalesce(p.rank, 0) + 1])
    else coalesce(p.rank, 0) >= case when ${channel} = 'webhook' then ${sql.lit(PREMIUM)} when e.category = 'product' then 0 else ${sql.lit(PRO)} end end`;

/** A nearer window of the same event was entered at the same moment, and its reminder is sent instead. */
export const isCovered: RawBuilder<boolean> = sql`(e.category = 'events' and coalesce(u.event_windows &&
  (select array_agg(each::smallint) from jsonb_array_elements_text(e.payload->'covered') each), false))`;

export type Readers = {
  /** 0 free, 1 pro, 2 premium, 3 admin. */
  rank: number;
  /** Users an announcement reaches. */
  wanting: number;
  /** Users who have disabled the channel. */
  switchedOff: number;
  /** Users who have enabled the channel without announcements. */
  declined: number;
};

/** Users the Telegram channel reaches, by plan and announcement setting. */
export async function findReaders(db: Db, reach: RawBuilder<{ user_id: number }>, now: Date): Promise<Readers[]> {
  const { rows } = await sql<Readers>`select coalesce(p.rank, 0) as rank,
      count(*) filter (where u.notify_telegram and u.telegram_announcements)::int as wanting,
      count(*) filter (where not u.notify_telegram)::int as "switchedOff",
      count(*) filter (where u.notify_telegram and not u.telegram_announcements)::int as declined
    from (select distinct user_id from (${reach}) reached) r join users u on u.id = r.user_id and ${isOpen}
      left join (${ranksAt(now, sql`true`)}) p on p.user_id = u.id
    group by 1`.execute(db);
  return rows;
}

export type Progress = {
  /** All its deliveries have been created. */
  isMade: boolean;
  sent: number;
  failed: number;
  /** Not sent because it was no longer wanted or possible. */
  skipped: number;
  withdrawn: number;
  waiting: number;
  /** Waiting until the end of their quiet hours. */
  held: number;
};

/** Progress of an announcement; undefined when it is no longer stored. */
export async function readProgress(db: Db, once: string, now: Date): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`select e.fanned_at is not null as "isMade",
      count(*) filter (where d.state = 'sent')::int as sent,
      count(*) filter (where d.state = 'failed')::int as failed,
      count(*) filter (where d.state = 'expired' or (d.state = 'dropped' and d.note is distinct from ${WITHDRAWN}))::int as skipped,
      count(*) filter (where d.state = 'dropped' and d.note = ${WITHDRAWN})::int as withdrawn,
      count(*) filter (where d.state in ('due', 'handed'))::int as waiting,
      count(*) filter (where d.state = 'due' and d.held and d.due_at > ${now.toISOString()}::timestamptz)::int as held
    from notification_events e left join notification_deliveries d on d.event_id = e.id
    where e.dedupe_key = ${once} group by e.id`.execute(db);
  return rows[0];
}
