import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { WITHDRAWN } from './announce.ts';
import { ranksAt } from './plans.ts';
import { isOpen } from './wishes.ts';

export type Readers = {
  /** 0 free, 1 pro, 2 premium, 3 admin. */
  rank: number;
  /** Whom an announcement reaches. */
  wanting: number;
  /** Who has switched the channel off. */
  switchedOff: number;
  /** Who wants the channel without announcements. */
  declined: number;
};

/** Those whom the Telegram channel reaches, by their plan, and what they want of announcements. */
export async function readersOf(db: Db, reach: RawBuilder<{ user_id: number }>, now: Date): Promise<Readers[]> {
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
  /** Everyone that it is for has a delivery of it by now. */
  isMade: boolean;
  sent: number;
  failed: number;
  /** Not sent because it was not wanted, or could not be, any more. */
  skipped: number;
  withdrawn: number;
  waiting: number;
  /** Of those that wait: until the end of their quiet hours. */
  held: number;
};

/** How far an announcement has come; undefined when it is forgotten. */
export async function progressOf(db: Db, once: string, now: Date): Promise<Progress | undefined> {
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
