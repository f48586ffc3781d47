import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Claimed } from './claim.ts';
import { noticeColumns } from './notices.ts';
import { rankOfPerson } from './plans.ts';
import { isChosen, isInPlan, isOpen, isSwitchedOn } from './wishes.ts';
import '../schema.ts';

export async function peopleWithDigest(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`select distinct user_id from notification_deliveries
    where state = 'digest' and due_at <= ${now.toISOString()}::timestamptz order by user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** Oldest first. A second caller waits for the first: skipping its locked rows would split the digest into two mails. */
export async function gatheredOf(tx: Db, userId: number, now: Date): Promise<Claimed[]> {
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
      cross join lateral (${rankOfPerson(now)}) p
    order by d.queued_at, d.id`.execute(tx);
  return rows;
}
