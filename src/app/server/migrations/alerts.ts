import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function alerts(db: Kysely<unknown>): Promise<void> {
  // Alerts raised: for everyone or, with a user, for the owner of the rule. Ids are assigned in commit order.
  await sql`create table alerts (
    id bigint generated always as identity primary key,
    user_id bigint references users (id) on delete cascade,
    rule_id bigint,
    -- the same thing is never raised twice: rule and tick, or gate and moment
    once text not null unique,
    type text not null,
    severity text not null check (severity in ('high', 'medium', 'low')),
    message text not null,
    metric text not null,
    value double precision,
    event_id integer,
    event_date timestamptz,
    detail jsonb,
    source text not null,
    method text not null,
    -- the receipt: when the source says it was so, when we had it, when it was judged, when it was committed
    source_at timestamptz not null,
    received_at timestamptz not null,
    evaluated_at timestamptz not null,
    queued_at timestamptz not null,
    check ((user_id is null) = (rule_id is null))
  )`.execute(db);
  await sql`create index alerts_everyone on alerts (id desc) where user_id is null`.execute(db);
  await sql`create index alerts_own on alerts (user_id, id desc) where user_id is not null`.execute(db);
  await sql`create index alerts_rule on alerts (rule_id, source_at desc) where rule_id is not null`.execute(db);

  await sql`create table alert_acknowledgements (
    user_id bigint not null references users (id) on delete cascade,
    alert_id bigint not null references alerts (id) on delete cascade,
    at timestamptz not null,
    primary key (user_id, alert_id)
  )`.execute(db);
  // Deleting an old alert deletes these as well.
  await sql`create index alert_acknowledgements_alert on alert_acknowledgements (alert_id)`.execute(db);

  // Hysteresis and cooldown of the built-in rules: the current step, and the last one that was announced.
  await sql`create table alert_gates (
    gate text primary key,
    step smallint not null,
    told_step smallint not null,
    told_at timestamptz,
    value double precision,
    updated_at timestamptz not null
  )`.execute(db);

  // Events to notify people of, written with what happened; deliveries are created from them.
  await sql`create table notification_events (
    id bigint generated always as identity primary key,
    dedupe_key text not null unique,
    kind text not null,
    severity text not null,
    user_id bigint references users (id) on delete cascade,
    alert_id bigint references alerts (id) on delete cascade,
    payload jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz
  )`.execute(db);
  await sql`create index notification_events_alert on notification_events (alert_id)`.execute(db);

  await sql`create table alert_rules (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    position integer not null,
    name text not null,
    description text not null,
    metric text not null,
    condition text not null,
    -- AI directions are -1, 0 and 1
    value double precision not null,
    enabled boolean not null,
    icon text,
    options jsonb not null,
    -- grows with every change of what the rule says; a state that was worked out for an older one is not written
    version integer not null default 1,
    -- of each condition: 0 not known, 1 off, 2 on, 3 off from above (a touch only)
    first_on smallint not null default 0,
    second_on smallint not null default 0,
    pending_since timestamptz,
    last_fired_at timestamptz,
    fires integer not null default 0,
    suppressed integer not null default 0,
    -- it fires once only, and has
    done boolean not null default false,
    paused text check (paused in ('plan', 'storm')),
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`.execute(db);
  await sql`create index alert_rules_user on alert_rules (user_id, position)`.execute(db);
  await sql`create index alert_rules_updated on alert_rules (updated_at)`.execute(db);

  // The list saved by a user as a whole; its revision reveals changes made in another tab.
  await sql`create table alert_rule_lists (
    user_id bigint primary key references users (id) on delete cascade,
    revision bigint not null,
    updated_at timestamptz not null
  )`.execute(db);

  // The owner that evaluates a part of the rules. An owner of an older epoch can no longer write.
  await sql`create table alert_shards (
    shard smallint primary key,
    epoch bigint not null,
    owner text not null,
    taken_at timestamptz not null
  )`.execute(db);

  // The last value each shard has evaluated of each series, written with the resulting states.
  await sql`create table alert_ticks (
    shard smallint not null,
    series text not null,
    value double precision not null,
    at timestamptz not null,
    primary key (shard, series)
  )`.execute(db);

  // Many frames to single accounts in one statement. Frames of a burst are stored for a minute, so that no process
  // misses them.
  await sql`alter table live_frames add column at timestamptz not null default now()`.execute(db);
  await sql`create or replace function publish_frame(topic text, body text) returns bigint language plpgsql as $$
    declare frame_id bigint;
    begin
      perform pg_advisory_xact_lock(7246002);
      insert into live_frames (topic, body) values (topic, body) returning id into frame_id;
      if frame_id % 64 = 0 then
        delete from live_frames where id <= frame_id - 256 and at < now() - interval '1 minute';
      end if;
      perform pg_notify('live', frame_id::text);
      return frame_id;
    end $$`.execute(db);
  await sql`create function publish_frames_to(topic text, bodies text[], recipients bigint[]) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7246002);
      insert into live_frames (topic, body, user_id)
        select publish_frames_to.topic, each.body, each.recipient
        from unnest(bodies, recipients) with ordinality each (body, recipient, place) order by place;
      perform pg_notify('live', '');
    end $$`.execute(db);
}

async function alertSpeed(db: Kysely<unknown>): Promise<void> {
  // Free space on each page: a new state of a rule is stored next to the old one, without index updates.
  await sql`alter table alert_rules set (fillfactor = 80)`.execute(db);

  // Most rules share a few options: with this, an owner reads each option once, however many rules there are.
  await sql`alter table alert_rules
    add column options_key uuid not null generated always as (md5(options::text)::uuid) stored`.execute(db);

  // The rate limit per user is checked with every fire: this index avoids reading old alerts for it.
  await sql`create index alerts_storm on alerts (user_id, evaluated_at desc) where type = 'CUSTOM_THRESHOLD'`.execute(
    db,
  );
  await sql`create index alerts_paused on alerts (user_id, id desc) where type = 'RULES_PAUSED'`.execute(db);

  // The last batch of this epoch written: a batch whose commit was not acknowledged is not written again.
  await sql`alter table alert_shards add column batch bigint not null default 0`.execute(db);
}

export const alertsMigrations: Migrations = {
  '0011-alerts': { up: alerts },
  '0012-alert-speed': { up: alertSpeed },
};
