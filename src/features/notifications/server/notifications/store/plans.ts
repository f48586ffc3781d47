import { type RawBuilder, sql } from 'kysely';

/** 1 pro, 2 premium, 3 admin. */
export const PRO = 1;
export const PREMIUM = 2;

/** Premium+ and admins stand in lane 0, others in 1, announcements behind them all. */
export const ANNOUNCEMENTS: RawBuilder<number> = sql.lit(2);

/**
 * `user_id` and `rank` of those who have a plan at a moment, as the ledger of subscriptions reads its facts: of each source the newest
 * counts, of those in force the best. Free accounts are not in it. `among` is a condition on `user_id`.
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

/** The same of one person `u`, for a lateral join: a few people are looked up one by one. */
export const rankOfPerson = (at: Date): RawBuilder<{ rank: number | null }> =>
  sql`select case when u.role = 'admin' then 3 else (select max(case plan when 'premium' then 2 else 1 end) from (
      select distinct on (source) plan, starts_at, ends_at from entitlements where user_id = u.id order by source, id desc) newest
    where plan <> 'free' and starts_at <= ${at.toISOString()}::timestamptz and (ends_at is null or ends_at > ${at.toISOString()}::timestamptz))
    end as rank`;
