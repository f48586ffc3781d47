import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

/** Defaults for unchanged settings, frozen with this migration. */
const DEFAULTS = {
  timeZone: 'UTC',
  categories: {
    rules: ['email', 'push', 'telegram', 'webhook'],
    market: ['email', 'push', 'telegram', 'webhook'],
    ai: ['email', 'push', 'telegram', 'webhook'],
    inflation: ['email', 'push', 'telegram', 'webhook'],
    product: ['email'],
  },
  quietHours: { enabled: false, from: '22:00', to: '07:00', letHighThrough: true },
  digest: { every: 'off', hour: 8, weekday: 1 },
};

async function notifications(db: Kysely<unknown>): Promise<void> {
  // In addition to the channel switches, which the accounts migration created.
  await sql`alter table users
    add column notification_preferences jsonb not null default ${sql.lit(JSON.stringify(DEFAULTS))}::jsonb,
    add column event_notifications boolean not null default true,
    add column event_windows smallint[] not null default '{3}',
    add column event_channels text[] not null default '{email,push}',
    add column event_impact text not null default 'all' check (event_impact in ('all', 'high', 'high_medium'))`.execute(
    db,
  );

  // Progress of the fan-out: done for accounts up to fanned_to, and for all once fanned_at is set.
  await sql`alter table notification_events
    add column fanned_to bigint not null default 0,
    add column fanned_at timestamptz,
    -- what it is about, by which it is withdrawn
    add column subject text,
    add column withdrawn_at timestamptz,
    add column category text not null generated always as (case
      when kind in ('CUSTOM_THRESHOLD', 'RULES_PAUSED') then 'rules'
      when kind in ('AI_CONSENSUS_BULLISH', 'AI_CONSENSUS_BEARISH') then 'ai'
      when kind = 'INFLATION_SURPRISE' then 'inflation'
      when kind = 'EVENT_REMINDER' then 'events'
      when kind = 'PRODUCT_NEWS' then 'product'
      -- in the app only: each person's own reminders tell of events
      when kind = 'UPCOMING_EVENT' then 'none'
      else 'market' end) stored`.execute(db);
  // Events from before channels existed are not delivered now.
  await sql`update notification_events set fanned_at = created_at`.execute(db);
  await sql`create index notification_events_waiting on notification_events (id) where fanned_at is null`.execute(db);
  await sql`create index notification_events_subject on notification_events (subject) where subject is not null and withdrawn_at is null`.execute(
    db,
  );

  // Idempotency key, retry state and log of one notification to one person on one channel. Pending rows are updated in
  // place.
  await sql`create table notification_deliveries (
    id bigint generated always as identity primary key,
    event_id bigint not null references notification_events (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    channel text not null,
    lane smallint not null,
    state text not null check (state in ('due', 'digest', 'handed', 'sent', 'failed', 'expired', 'dropped')),
    due_at timestamptz not null,
    expires_at timestamptz,
    tries smallint not null default 0,
    -- lent to a worker until then
    locked_until timestamptz,
    -- waits, or has waited, because its reader wishes so
    held boolean not null default false,
    queued_at timestamptz not null,
    sent_at timestamptz,
    note text,
    created_at timestamptz not null,
    unique (event_id, user_id, channel)
  ) with (fillfactor = 75)`.execute(db);
  await sql`create index notification_deliveries_due on notification_deliveries (channel, lane, due_at) where state = 'due'`.execute(
    db,
  );
  await sql`create index notification_deliveries_digest on notification_deliveries (user_id, due_at) where state = 'digest'`.execute(
    db,
  );
  await sql`create index notification_deliveries_failed on notification_deliveries (id) where state = 'failed'`.execute(
    db,
  );
  await sql`create index notification_deliveries_user on notification_deliveries (user_id, id desc)`.execute(db);

  // A token bucket per channel, shared by all processes.
  await sql`create table channel_paces (
    channel text primary key,
    tokens double precision not null,
    refilled_at timestamptz not null
  )`.execute(db);

  // Once per statement, at commit: wakes the workers for new notifications.
  await sql`create function tell_notifications() returns trigger language plpgsql as $$
    begin
      if exists (select from told) then perform pg_notify('notifications', ''); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger notification_events_told after insert on notification_events
    referencing new table as told for each statement execute function tell_notifications()`.execute(db);

  await sql`create function is_quiet(clock time, starts time, ends time) returns boolean language sql immutable as $$
    select case when starts < ends then clock >= starts and clock < ends else starts > ends and (clock >= starts or clock < ends) end
  $$`.execute(db);

  // The first time from "at" on at which the local clock is outside quiet hours. A clock put forward may skip the end,
  // and one put back shows it twice: besides the end itself, the quarter hours before it are checked, at which clocks
  // change.
  await sql`create function quiet_end(at timestamptz, zone text, starts time, ends time) returns timestamptz language plpgsql stable as $$
    declare
      here timestamp := at at time zone zone;
      ending timestamptz;
    begin
      if not is_quiet(here::time, starts, ends) then return at; end if;
      ending := (here::date + ends + case when here::time >= ends then interval '1 day' else interval '0' end) at time zone zone;
      return coalesce((select min(moment) from (
          select ending as moment
          union all select ending - n * interval '30 minutes' from generate_series(1, 4) n
          union all select date_bin('15 minutes', ending, timestamptz 'epoch') - n * interval '15 minutes' from generate_series(0, 8) n
        ) each where moment > at and not is_quiet((moment at time zone zone)::time, starts, ends)), ending);
    exception when invalid_parameter_value then
      return at;
    end $$`.execute(db);

  // The next time after "at" at which a digest is sent.
  await sql`create function next_digest(at timestamptz, zone text, every text, hour int, weekday int) returns timestamptz language plpgsql stable as $$
    declare
      here timestamp := at at time zone zone;
      moment timestamptz;
    begin
      if every = 'hourly' then return date_trunc('hour', at, zone) + interval '1 hour'; end if;
      for days in 0..8 loop
        moment := (here::date + days + make_time(hour, 0, 0)) at time zone zone;
        if moment > at and (every = 'daily' or extract(isodow from here::date + days) = weekday) then return moment; end if;
      end loop;
      return at;
    exception when invalid_parameter_value then
      return at;
    end $$`.execute(db);
}

/**
 * A clock put back may show the minute before quiet hours start once more, at any quarter of an hour of them. Clocks
 * change only at quarters of an hour, so each of them is a candidate, in addition to the end itself.
 */
async function quietEnd(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function quiet_end(at timestamptz, zone text, starts time, ends time) returns timestamptz language plpgsql stable as $$
    declare
      here timestamp := at at time zone zone;
      ending timestamptz;
    begin
      if not is_quiet(here::time, starts, ends) then return at; end if;
      ending := (here::date + ends + case when here::time >= ends then interval '1 day' else interval '0' end) at time zone zone;
      return coalesce((select min(moment) from (
          select ending as moment
          union all select ending - n * interval '30 minutes' from generate_series(1, 4) n
          union all select generate_series(date_bin('15 minutes', at, timestamptz 'epoch') + interval '15 minutes', ending, interval '15 minutes')
        ) each where moment > at and not is_quiet((moment at time zone zone)::time, starts, ends)), ending);
    exception when invalid_parameter_value then
      return at;
    end $$`.execute(db);
}

export const notificationsMigrations: Migrations = {
  '0013-notifications': { up: notifications },
  '0062-quiet-end': { up: quietEnd },
};
