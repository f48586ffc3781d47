import { type RawBuilder, sql } from 'kysely';

import { PREMIUM, PRO } from './plans.ts';

/** Conditions on a person `u`, a notice `e` and the plan `p` (null for free); the channel is a value or that of a delivery. */
type Channel = RawBuilder<unknown>;

/** Whether anything may be sent to the person at all. */
export const isOpen: RawBuilder<boolean> = sql`u.disabled_at is null`;

/** Whether the switch of the channel is on. Webhooks have none: who wants none has none. */
export const isSwitchedOn = (channel: Channel): RawBuilder<boolean> =>
  sql`case ${channel} when 'email' then u.notify_email when 'push' then u.notify_push when 'telegram' then u.notify_telegram
    else true end`;

/** Whether the person has chosen this way for what it is about. */
export const isChosen = (channel: Channel): RawBuilder<boolean> =>
  sql`case when e.category = 'announcements' then ${channel} = 'telegram' and u.telegram_announcements
    when e.category = 'events' then u.event_notifications and ${channel} = any(u.event_channels)
      and (e.payload->>'window')::smallint = any(u.event_windows)
      and (u.event_impact = 'all' or e.severity = 'high' or (u.event_impact = 'high_medium' and e.severity = 'medium'))
    else coalesce(u.notification_preferences->'categories'->e.category ? ${channel}, false) end`;

/** Product news are for every plan, webhooks for Premium+, an announcement for all or for one plan, everything else for Pro and up. */
export const isInPlan = (channel: Channel): RawBuilder<boolean> =>
  sql`case when e.category = 'announcements'
      then e.payload->>'audience' in ('all', ('{free,pro,premium,admin}'::text[])[coalesce(p.rank, 0) + 1])
    else coalesce(p.rank, 0) >= case when ${channel} = 'webhook' then ${sql.lit(PREMIUM)} when e.category = 'product' then 0 else ${sql.lit(PRO)} end end`;

/** A nearer window of the same event was entered at the same moment, and the person is told by that one. */
export const isCovered: RawBuilder<boolean> = sql`(e.category = 'events' and coalesce(u.event_windows &&
  (select array_agg(each::smallint) from jsonb_array_elements_text(e.payload->'covered') each), false))`;
