import { sql } from 'kysely';

import type { ComponentId, MinuteState } from '#features/site/contract/status.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import { MINUTE_MS, type Open, type Span } from '../detect.ts';

export type Known = {
  component: ComponentId;
  beganAt: number;
  measuredFrom: number;
  measuredTo: number;
  lapseFrom: number | null;
};

const iso = (ms: number) => new Date(ms).toISOString();

/** Returns the measured state and locks out other processes until the end of the transaction. */
export async function lockKnown(tx: Db): Promise<Known[]> {
  await sql`select pg_advisory_xact_lock(7246027)`.execute(tx);
  return readKnown(tx);
}

export async function readKnown(db: Db): Promise<Known[]> {
  const rows = await db.selectFrom('status_components').selectAll().execute();
  return rows.map((row) => ({
    component: row.component,
    beganAt: Date.parse(row.began_at),
    measuredFrom: Date.parse(row.measured_from),
    measuredTo: Date.parse(row.measured_to),
    lapseFrom: row.lapse_from ? Date.parse(row.lapse_from) : null,
  }));
}

export async function writeKnown(tx: Db, known: readonly Known[]): Promise<void> {
  if (known.length === 0) return;
  await tx
    .insertInto('status_components')
    .values(
      known.map((each) => ({
        component: each.component,
        began_at: iso(each.beganAt),
        measured_from: iso(each.measuredFrom),
        measured_to: iso(each.measuredTo),
        lapse_from: each.lapseFrom === null ? null : iso(each.lapseFrom),
      })),
    )
    .onConflict((oc) =>
      oc.column('component').doUpdateSet((eb) => ({
        measured_from: eb.ref('excluded.measured_from'),
        measured_to: eb.ref('excluded.measured_to'),
        lapse_from: eb.ref('excluded.lapse_from'),
      })),
    )
    .execute();
}

/** Replaces existing states of these minutes. */
export async function writeStates(
  tx: Db,
  component: ComponentId,
  { from, to }: Span,
  states: readonly MinuteState[],
): Promise<void> {
  await sql`delete from status_lapses where component = ${component} and minute >= ${iso(from)} and minute < ${iso(to)}`.execute(
    tx,
  );
  const lapses = states.flatMap((state, n) =>
    state === 'operational' ? [] : [{ at: iso(from + n * MINUTE_MS), state }],
  );
  if (lapses.length === 0) return;
  await sql`insert into status_lapses (component, minute, state)
    select ${component}, at, state from unnest(${lapses.map(({ at }) => at)}::timestamptz[], ${lapses.map(({ state }) => state)}::text[]) l (at, state)`.execute(
    tx,
  );
}

/** Recounts one UTC day for every component measured in it. */
export async function rollUp(tx: Db, dayStart: number): Promise<void> {
  const [start, end] = [iso(dayStart), iso(dayStart + 1440 * MINUTE_MS)];
  await sql`insert into status_days (component, day, measured, degraded, down)
    select c.component, ${start.slice(0, 10)}::date,
      round(extract(epoch from least(c.measured_to, ${end}::timestamptz) - greatest(c.measured_from, ${start}::timestamptz)) / 60)::int,
      count(*) filter (where l.state = 'degraded'), count(*) filter (where l.state = 'down')
    from status_components c
    left join status_lapses l on l.component = c.component and l.minute >= ${start} and l.minute < ${end}
    where c.measured_from < ${end} and c.measured_to > ${start} and c.measured_from < c.measured_to
    group by c.component, c.measured_from, c.measured_to
    on conflict (component, day) do update
    set measured = excluded.measured, degraded = excluded.degraded, down = excluded.down`.execute(tx);
}

export async function findOpen(tx: Db): Promise<Open | null> {
  const row = await tx
    .selectFrom('incidents')
    .select(['id', 'starts_at', 'components', 'impact'])
    .where('kind', '=', 'measured')
    .where('ends_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { id, components, impact } = row;
  return { id, startsAt: Date.parse(row.starts_at), components, impact: impact === 'major' ? 'major' : 'minor' };
}

/** `endsAt` is null while it is ongoing. */
export async function writeMeasured(
  tx: Db,
  { id, startsAt, components, impact, endsAt }: Open & { endsAt: number | null },
  title: string,
  at: Date,
): Promise<void> {
  const values = {
    title,
    impact,
    components,
    starts_at: iso(startsAt),
    ends_at: endsAt === null ? null : iso(endsAt),
  };
  if (id !== null) await tx.updateTable('incidents').set(values).where('id', '=', id).execute();
  else
    await tx
      .insertInto('incidents')
      .values({ ...values, kind: 'measured', created_at: at.toISOString() })
      .execute();
}

export async function forgetMeasured(db: Db, before: Date): Promise<void> {
  const limit = before.toISOString();
  await db.deleteFrom('status_lapses').where('minute', '<', limit).execute();
  await db.deleteFrom('status_days').where('day', '<', limit.slice(0, 10)).execute();
}

export type DayRow = { component: ComponentId; day: string; measured: number; degraded: number; down: number };

export const daysSince = (db: Db, day: string): Promise<DayRow[]> =>
  db.selectFrom('status_days').selectAll().where('day', '>=', day).orderBy('day').execute();

/** The state of the last measured minute, if it was not operational. */
export async function statesAt(db: Db, minute: Date): Promise<Map<ComponentId, 'degraded' | 'down'>> {
  const rows = await db
    .selectFrom('status_lapses')
    .select(['component', 'state'])
    .where('minute', '=', minute.toISOString())
    .execute();
  return new Map(rows.map(({ component, state }) => [component, state]));
}
