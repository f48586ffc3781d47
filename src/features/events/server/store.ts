import { type Generated, type JSONColumnType, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

type Said = {
  kind: string | null;
  category: string;
  impact: string;
  why: string;
  title: string | null;
  description: string | null;
  at: string;
  all_day: boolean;
  estimated: boolean;
  interval_from: string | null;
  interval_to: string | null;
  checked_at: string;
};
type StoredFigures = { actual: string | null; forecast: string | null; previous: string | null };

interface EventsTable extends Said {
  id: Generated<number>;
  match: string;
  source: string | null;
  source_url: string | null;
  figures: JSONColumnType<StoredFigures> | null;
  first_seen_at: string;
  updated_at: string;
  ignored_at: string | null;
  deleted_at: string | null;
}

interface EventStatementsTable extends Said {
  event_id: number;
  source: string;
  ref: string;
  rank: number;
  publisher: string | null;
  url: string | null;
  figures: JSONColumnType<StoredFigures> | null;
}

interface EventWindowsTable {
  event_id: number;
  days: number;
  entered_at: string;
}

declare module '#kernel/db.ts' {
  interface Tables {
    events: EventsTable;
    event_statements: EventStatementsTable;
    event_windows: EventWindowsTable;
  }
}

export type StoredEvent = Omit<EventsTable, 'id' | 'figures'> & { id: number; figures: StoredFigures | null };
export type Statement = Omit<EventStatementsTable, 'figures'> & { figures: StoredFigures | null };
/** Fields set by the sources; ignoring and deleting are manual. */
export type Chosen = Omit<StoredEvent, 'id' | 'match' | 'first_seen_at' | 'updated_at' | 'ignored_at' | 'deleted_at'>;
export type Mark = { event_id: number; days: number; entered_at: string };

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
const day = (column: string) => sql<string | null>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;

const selectEvents = (db: Db) =>
  db
    .selectFrom('events')
    .selectAll()
    .select([day('interval_from').as('interval_from'), day('interval_to').as('interval_to')]);

const selectStatements = (db: Db) =>
  db
    .selectFrom('event_statements')
    .selectAll()
    .select([day('interval_from').as('interval_from'), day('interval_to').as('interval_to')]);

/** Includes tombstones. */
export async function eventsSince(db: Db, from: Date): Promise<StoredEvent[]> {
  return selectEvents(db).where('at', '>=', from.toISOString()).orderBy('at').orderBy('id').execute();
}

export async function eventsById(db: Db, ids: readonly number[]): Promise<Map<number, StoredEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await selectEvents(db)
    .where('id', '=', sql<number>`any(${[...ids]}::int[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findEvent(db: Db, id: number): Promise<StoredEvent | undefined> {
  return selectEvents(db).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
}

export type Span = { from?: Date; to?: Date };

/** Events that are not deleted, oldest first. */
export async function findStoredEvents(db: Db, { from, to }: Span, most: number): Promise<StoredEvent[]> {
  let query = selectEvents(db).where('deleted_at', 'is', null);
  if (from) query = query.where('at', '>=', from.toISOString());
  if (to) query = query.where('at', '<', to.toISOString());
  const newest = await query.orderBy('at', 'desc').orderBy('id').limit(most).execute();
  return newest.toReversed();
}

export async function statementsFor(db: Db, ids: readonly number[]): Promise<Statement[]> {
  if (ids.length === 0) return [];
  return selectStatements(db)
    .where('event_id', '=', sql<number>`any(${[...ids]}::int[])`)
    .orderBy('event_id')
    .orderBy('rank')
    .orderBy('source')
    .execute();
}

const TAKE_LOCK = 7_246_061;

/** Locked until the end of the transaction, or two processes could create the same event. */
export async function lockEvents(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TAKE_LOCK})`.execute(tx);
}

/** The events a source has listed under these names. */
export async function eventsByRef(db: Db, source: string, refs: readonly string[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map();
  const rows = await db
    .selectFrom('event_statements')
    .select(['ref', 'event_id'])
    .where('source', '=', source)
    .where('ref', '=', sql<string>`any(${[...refs]}::text[])`)
    .orderBy('checked_at')
    .execute();
  return new Map(rows.map(({ ref, event_id }) => [ref, event_id]));
}

export async function addEvent(db: Db, match: string, chosen: Chosen, at: Date): Promise<number> {
  const { id } = await db
    .insertInto('events')
    .values({
      ...chosen,
      match,
      figures: json(chosen.figures),
      first_seen_at: at.toISOString(),
      updated_at: at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates the chosen texts and times of an event; `touched` is set when more than the check time changed. */
export async function updateEvent(db: Db, id: number, chosen: Chosen, touched: Date | null): Promise<void> {
  await db
    .updateTable('events')
    .set({
      ...chosen,
      figures: json(chosen.figures),
      ...(touched ? { updated_at: touched.toISOString() } : {}),
    })
    .where('id', '=', id)
    .execute();
}

export async function saveStatements(db: Db, rows: readonly Statement[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('event_statements')
    .values(rows.map((row) => ({ ...row, figures: json(row.figures) })))
    .onConflict((oc) =>
      oc.columns(['event_id', 'source']).doUpdateSet((eb) => ({
        ref: eb.ref('excluded.ref'),
        rank: eb.ref('excluded.rank'),
        kind: eb.ref('excluded.kind'),
        publisher: eb.ref('excluded.publisher'),
        title: eb.ref('excluded.title'),
        description: eb.ref('excluded.description'),
        category: eb.ref('excluded.category'),
        impact: eb.ref('excluded.impact'),
        why: eb.ref('excluded.why'),
        at: eb.ref('excluded.at'),
        all_day: eb.ref('excluded.all_day'),
        estimated: eb.ref('excluded.estimated'),
        interval_from: eb.ref('excluded.interval_from'),
        interval_to: eb.ref('excluded.interval_to'),
        url: eb.ref('excluded.url'),
        figures: eb.ref('excluded.figures'),
        checked_at: eb.ref('excluded.checked_at'),
      })),
    )
    .execute();
}

export async function setIgnored(db: Db, id: number, at: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('events')
    .set({ ignored_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Leaves a tombstone, which later collections match. */
export async function deleteEvent(db: Db, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('events')
    .set({ deleted_at: at.toISOString() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function readMarks(db: Db, ids: readonly number[]): Promise<Mark[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('event_windows')
    .selectAll()
    .where('event_id', '=', sql<number>`any(${[...ids]}::int[])`)
    .orderBy('event_id')
    .orderBy('days')
    .execute();
}

/** Existing marks are unchanged. Returns the new ones. */
export async function addMarks(db: Db, rows: readonly Mark[]): Promise<Mark[]> {
  if (rows.length === 0) return [];
  return db
    .insertInto('event_windows')
    .values([...rows])
    .onConflict((oc) => oc.columns(['event_id', 'days']).doNothing())
    .returningAll()
    .execute();
}

/** Removes the marks of windows a rescheduled event is no longer in. */
export async function removeMarks(db: Db, rows: readonly Pick<Mark, 'event_id' | 'days'>[]): Promise<void> {
  for (const { event_id, days } of rows)
    await db.deleteFrom('event_windows').where('event_id', '=', event_id).where('days', '=', days).execute();
}
