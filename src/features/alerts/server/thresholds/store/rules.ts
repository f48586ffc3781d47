import { type Selectable, sql } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';
import type { Condition, RuleOptions } from '#features/alerts/contract/thresholds.ts';

export type StoredRule = Selectable<Tables['alert_rules']>;

/** Locks a user's list until the transaction ends: saves are serialised. */
export async function lockList(tx: Db, userId: number, now: Date): Promise<number> {
  const at = now.toISOString();
  await tx
    .insertInto('alert_rule_lists')
    .values({ user_id: userId, revision: 0, updated_at: at })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const row = await tx
    .selectFrom('alert_rule_lists')
    .select('revision')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.revision;
}

export async function setRevision(tx: Db, userId: number, revision: number, now: Date): Promise<void> {
  await tx
    .updateTable('alert_rule_lists')
    .set({ revision, updated_at: now.toISOString() })
    .where('user_id', '=', userId)
    .execute();
}

/** The current list and revision; consistent when read in one transaction. */
export async function readRevision(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('alert_rule_lists')
    .select('revision')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.revision ?? 0;
}

export const readRules = (db: Db, userId: number): Promise<StoredRule[]> =>
  db.selectFrom('alert_rules').selectAll().where('user_id', '=', userId).orderBy('position').orderBy('id').execute();

/** Locks the states of the rules until the transaction ends, in id order like every caller. */
export async function lockRules(tx: Db, userId: number): Promise<void> {
  await tx.selectFrom('alert_rules').select('id').where('user_id', '=', userId).orderBy('id').forUpdate().execute();
}

/** Display fields of a rule that is otherwise unchanged. */
export type RuleAppearance = { id: number; position: number; name: string; description: string; icon: string | null };

/** Does not touch `updated_at`, which is when the meaning or initial state was saved. */
export async function updateAppearance(tx: Db, rows: readonly RuleAppearance[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(of: (row: RuleAppearance) => T): T[] => rows.map(of);
  await sql`update alert_rules r set position = d.position, name = d.name, description = d.description, icon = d.icon
    from unnest(${column(({ id }) => id)}::bigint[], ${column(({ position }) => position)}::int[],
      ${column(({ name }) => name)}::text[], ${column(({ description }) => description)}::text[],
      ${column(({ icon }) => icon)}::text[]) d (id, position, name, description, icon)
    where r.id = d.id`.execute(tx);
}

/** A rule with a new meaning; without an id it is inserted. */
export type RuleWrite = Omit<RuleAppearance, 'id'> & {
  id: number | null;
  metric: string;
  condition: Condition;
  value: number;
  enabled: boolean;
  options: RuleOptions;
  first: number;
  second: number;
  paused: 'plan' | null;
};

const sameCondition = sql`r.metric = d.metric and r.condition = d.condition and r.value = d.value`;

/**
 * Writes rules with their initial state; the fire history is retained while the condition is the same. Pending results
 * for an older version become void.
 */
export async function writeRules(tx: Db, userId: number, rows: readonly RuleWrite[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  const at = now.toISOString();
  const column = <T>(of: (row: RuleWrite) => T): T[] => rows.map(of);
  const given = sql`select * from unnest(${column(({ id }) => id)}::bigint[], ${column(({ position }) => position)}::int[],
    ${column(({ name }) => name)}::text[], ${column(({ description }) => description)}::text[],
    ${column(({ icon }) => icon)}::text[], ${column(({ metric }) => metric)}::text[],
    ${column(({ condition }) => condition)}::text[], ${column(({ value }) => value)}::float8[],
    ${column(({ enabled }) => enabled)}::boolean[], ${column(({ options }) => JSON.stringify(options))}::jsonb[],
    ${column(({ first }) => first)}::smallint[], ${column(({ second }) => second)}::smallint[],
    ${column(({ paused }) => paused)}::text[]) with ordinality
    d (id, position, name, description, icon, metric, condition, value, enabled, options, first_on, second_on, paused, place)`;
  await sql`update alert_rules r set position = d.position, name = d.name, description = d.description, icon = d.icon,
      metric = d.metric, condition = d.condition, value = d.value, enabled = d.enabled, options = d.options,
      first_on = d.first_on, second_on = d.second_on, paused = d.paused, version = r.version + 1, pending_since = null,
      last_fired_at = case when ${sameCondition} then r.last_fired_at end,
      fires = case when ${sameCondition} then r.fires else 0 end,
      suppressed = case when ${sameCondition} then r.suppressed else 0 end, done = false, updated_at = ${at}
    from (${given}) d where r.id = d.id`.execute(tx);
  await sql`insert into alert_rules (user_id, position, name, description, icon, metric, condition, value, enabled, options,
      first_on, second_on, paused, created_at, updated_at)
    select ${userId}, d.position, d.name, d.description, d.icon, d.metric, d.condition, d.value, d.enabled, d.options,
      d.first_on, d.second_on, d.paused, ${at}, ${at}
    from (${given}) d where d.id is null order by d.place`.execute(tx);
}

/** Counters of fires persist while the meaning of the rule is unchanged. */
export type ResetRule = { id: number; first: number; second: number };

export async function resetRules(tx: Db, rows: readonly ResetRule[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await sql`update alert_rules r set first_on = d.first_on, second_on = d.second_on, paused = null, done = false,
      pending_since = null, version = r.version + 1, updated_at = ${now.toISOString()}
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ first }) => first)}::smallint[],
      ${rows.map(({ second }) => second)}::smallint[]) d (id, first_on, second_on)
    where r.id = d.id`.execute(tx);
}

export async function pauseRules(tx: Db, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('alert_rules')
    .set(({ eb }) => ({
      paused: 'plan',
      pending_since: null,
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', 'in', ids)
    .execute();
}

export async function deleteRules(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('alert_rules').where('id', 'in', ids).execute();
}

/** Number of rules per user, and how many the plan pauses. In batches by user id. */
export async function countsAfter(db: Db, userId: number, most: number) {
  const { rows } = await sql<{ user_id: number; role: 'user' | 'admin'; rules: number; paused: number }>`
    select r.user_id, u.role, count(*)::int as rules, (count(*) filter (where r.paused = 'plan'))::int as paused
    from alert_rules r join users u on u.id = r.user_id
    where r.user_id > ${userId} group by r.user_id, u.role order by r.user_id limit ${most}`.execute(db);
  return rows;
}
