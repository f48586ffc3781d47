import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { Condition, RuleOptions } from '#features/alerts/contract/thresholds.ts';
import type { LegState, RuleState, Tick } from '../engine/types.ts';

/** An active rule with its state. */
export type ActiveRule = {
  id: number;
  user_id: number;
  version: number;
  metric: string;
  condition: Condition;
  value: number;
  options: RuleOptions;
  first_on: LegState;
  second_on: LegState;
  /** Ms since epoch, as in the engine. */
  pending_since: number | null;
  last_fired_at: number | null;
  updated_at: number;
};

const COLUMNS = sql`id, user_id, version, metric, condition, value, options, first_on, second_on,
  (extract(epoch from pending_since) * 1000)::float8 as pending_since,
  (extract(epoch from last_fired_at) * 1000)::float8 as last_fired_at,
  (extract(epoch from updated_at) * 1000)::float8 as updated_at`;
/** Rules to be evaluated. */
export const ACTIVE = sql`enabled and paused is null and not done`;

/** Takes over a shard: older epochs can no longer write. Waits for a write in progress. */
export async function takeShard(db: Db, shard: number, owner: string, now: Date): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`insert into alert_shards as s (shard, epoch, owner, taken_at)
    values (${shard}, 1, ${owner}, ${now.toISOString()})
    on conflict (shard) do update set epoch = s.epoch + 1, batch = 0, owner = excluded.owner, taken_at = excluded.taken_at
    returning epoch`.execute(db);
  return (rows[0] as { epoch: number }).epoch;
}

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/**
 * Locks the shard for writing a batch and stores its last values; the shard cannot be taken over until the transaction
 * ends. `written` when this batch was already written, `lost` when the epoch is no longer current: then nothing is
 * written.
 */
export async function claimBatch(
  tx: Db,
  shard: number,
  { epoch, number }: BatchName,
  ticks: readonly Tick[],
): Promise<'free' | 'written' | 'lost'> {
  const claimed = await sql`with claimed as (
      update alert_shards set batch = ${number} where shard = ${shard} and epoch = ${epoch} and batch < ${number} returning shard),
    ticks as (
      insert into alert_ticks as t (shard, series, value, at)
      select c.shard, d.series, d.value, d.at from claimed c, unnest(${ticks.map(({ series }) => series)}::text[],
        ${ticks.map(({ value }) => value)}::float8[], ${ticks.map(({ at }) => time(at))}::timestamptz[]) d (series, value, at)
      on conflict (shard, series) do update set value = excluded.value, at = excluded.at)
    select 1 from claimed`.execute(tx);
  if (claimed.rows.length > 0) return 'free';
  const { rows } = await sql`select 1 from alert_shards where shard = ${shard} and epoch = ${epoch}`.execute(tx);
  return rows.length > 0 ? 'written' : 'lost';
}

/** Batches of an epoch are numbered from 1. */
export type BatchName = { epoch: number; number: number };

export async function readLastTicks(db: Db, shard: number): Promise<Tick[]> {
  const rows = await db
    .selectFrom('alert_ticks')
    .select(['series', 'value', 'at'])
    .where('shard', '=', shard)
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: Date.parse(at) }));
}

/** Frames sent to all processes in the last minutes, oldest first. */
export async function readLiveFrames(db: Db, topic: string): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`select body from live_frames where topic = ${topic} order by id`.execute(
    db,
  );
  return rows.map(({ body }) => body);
}

export async function listActiveRules(db: Db, users: readonly number[]): Promise<ActiveRule[]> {
  const { rows } = await sql<ActiveRule>`select ${COLUMNS} from alert_rules
    where user_id = any(${users}::bigint[]) and ${ACTIVE} order by id`.execute(db);
  return rows;
}

export type StateWrite = { id: number; version: number; state: RuleState; fires: number; silenced: number };
/** The fields of a fired rule used in its alert. */
export type WrittenRule = {
  id: number;
  user_id: number;
  name: string;
  metric: string;
  condition: Condition;
  value: number;
  options: RuleOptions;
};

/** Writes states whose rules are unchanged, in the common lock order; returns those rules. */
export async function writeStates(tx: Db, writes: readonly StateWrite[]): Promise<WrittenRule[]> {
  if (writes.length === 0) return [];
  const column = <T>(of: (write: StateWrite) => T): T[] => writes.map(of);
  const ids = column(({ id }) => id);
  await sql`select id from alert_rules where id = any(${ids}::bigint[]) order by id for update`.execute(tx);
  const { rows } = await sql<WrittenRule>`update alert_rules r set first_on = d.first_on, second_on = d.second_on,
      pending_since = d.pending_since, last_fired_at = d.last_fired_at, done = d.done, fires = r.fires + d.fires,
      suppressed = r.suppressed + d.silenced
    from unnest(${ids}::bigint[], ${column(({ version }) => version)}::int[],
      ${column(({ state }) => state.first)}::smallint[], ${column(({ state }) => state.second)}::smallint[],
      ${column(({ state }) => time(state.pendingSince))}::timestamptz[],
      ${column(({ state }) => time(state.lastFiredAt))}::timestamptz[], ${column(({ state }) => state.done)}::boolean[],
      ${column(({ fires }) => fires)}::int[], ${column(({ silenced }) => silenced)}::int[])
      d (id, version, first_on, second_on, pending_since, last_fired_at, done, fires, silenced)
    where r.id = d.id and r.version = d.version and r.enabled and r.paused is null
    returning r.id, r.user_id, r.name, r.metric, r.condition, r.value, r.options`.execute(tx);
  return rows;
}

export type Storm = { user_id: number; newest: number; rules: number[] };

/** Users whose own alerts since the last pause reach the limit within the time; `rules` are those that fired. */
export async function findStorms(tx: Db, users: readonly number[], most: number, since: Date): Promise<Storm[]> {
  const { rows } = await sql<Storm>`
    select u.id as user_id, max(a.id) as newest, array_agg(distinct a.rule_id)::float8[] as rules
    from unnest(${users}::bigint[]) u (id), lateral (
      select coalesce(max(p.id), 0) as last from alerts p where p.user_id = u.id and p.type = 'RULES_PAUSED') paused, lateral (
      select a.id, a.rule_id from alerts a
      where a.user_id = u.id and a.type = 'CUSTOM_THRESHOLD' and a.evaluated_at > ${since.toISOString()} and a.id > paused.last
      order by a.evaluated_at desc limit 1000) a
    group by u.id having count(*) >= ${most}`.execute(tx);
  return rows;
}

/** Returns those that were not already paused. Uses the common lock order. */
export async function pauseInStorm(tx: Db, rules: readonly number[]): Promise<{ id: number; metric: string }[]> {
  await sql`select id from alert_rules where id = any(${rules}::bigint[]) order by id for update`.execute(tx);
  const { rows } = await sql<{ id: number; metric: string }>`update alert_rules
    set paused = 'storm', pending_since = null, version = version + 1
    where id = any(${rules}::bigint[]) and paused is null returning id, metric`.execute(tx);
  return rows;
}
