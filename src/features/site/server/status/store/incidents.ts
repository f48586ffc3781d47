import type { Expression } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AdminIncident, ComponentId, Impact, Stage } from '#features/site/contract/status.ts';
import type { Db } from '#kernel/db.ts';
import '../schema.ts';

const selectUpdates = (db: Db, incident: Expression<number>) =>
  jsonArrayFrom(
    db
      .selectFrom('incident_updates as u')
      .leftJoin('users as a', 'a.id', 'u.author_id')
      .select(['u.at', 'u.stage', 'u.message', 'a.email as author'])
      .whereRef('u.incident_id', '=', incident as never)
      .orderBy('u.id', 'desc'),
  );

type Page = { before?: number | undefined; count: number };

/** Newest first, each with its updates, newest first. */
export async function incidentsPage(db: Db, { before, count }: Page): Promise<AdminIncident[]> {
  return (await listed(db, before).orderBy('i.id', 'desc').limit(count).execute()).map(toIncident);
}

/** Public incidents: not over before `since`, and not retracted. */
export async function incidentsSince(db: Db, since: Date): Promise<AdminIncident[]> {
  const rows = await listed(db, undefined)
    .where('i.retracted_at', 'is', null)
    .where((eb) => eb.or([eb('i.ends_at', 'is', null), eb('i.ends_at', '>=', since.toISOString())]))
    .orderBy('i.starts_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(300)
    .execute();
  return rows.map(toIncident);
}

function listed(db: Db, before: number | undefined) {
  return db
    .selectFrom('incidents as i')
    .leftJoin('users as w', 'w.id', 'i.created_by')
    .select((eb) => [
      'i.id',
      'i.kind',
      'i.title',
      'i.impact',
      'i.components',
      'i.starts_at',
      'i.ends_at',
      'i.retracted_at',
      'w.email as author',
      selectUpdates(db, eb.ref('i.id')).as('updates'),
    ])
    .$if(before !== undefined, (query) => query.where('i.id', '<', before ?? 0));
}

type Row = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number];

function toIncident({ starts_at, ends_at, retracted_at, updates, ...rest }: Row): AdminIncident {
  // Times inside JSON have PostgreSQL's format.
  const dated = updates.map((each) => ({ ...each, at: new Date(each.at).toISOString() }));
  const stage = dated[0]?.stage ?? null;
  return {
    ...rest,
    stage,
    startsAt: starts_at,
    endsAt: ends_at,
    retractedAt: retracted_at,
    updates: dated,
  };
}

export type NewIncident = {
  title: string;
  impact: Impact;
  components: ComponentId[];
  startsAt: Date;
  endsAt: Date | null;
  createdBy: number;
};

export async function addIncident(tx: Db, incident: NewIncident, at: Date): Promise<number> {
  const { title, impact, components, startsAt, endsAt, createdBy } = incident;
  const { id } = await tx
    .insertInto('incidents')
    .values({
      kind: 'written',
      title,
      impact,
      components,
      starts_at: startsAt.toISOString(),
      ends_at: endsAt?.toISOString() ?? null,
      created_at: at.toISOString(),
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function addUpdate(
  tx: Db,
  update: { incident: number; stage: Stage; message: string; author: number },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('incident_updates')
    .values({
      incident_id: update.incident,
      stage: update.stage,
      message: update.message,
      at: at.toISOString(),
      author_id: update.author,
    })
    .execute();
}

/** Locked until the end of the transaction. */
export const lockIncident = (tx: Db, id: number) =>
  tx
    .selectFrom('incidents')
    .select(['kind', 'starts_at', 'ends_at', 'retracted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Queried after locking: a statement waiting for the lock would see the earlier state. */
export async function isResolved(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('incident_updates')
    .select('id')
    .where('incident_id', '=', id)
    .where('stage', '=', 'resolved')
    .executeTakeFirst();
  return row !== undefined;
}

export async function endIncident(tx: Db, id: number, at: Date): Promise<void> {
  await tx.updateTable('incidents').set({ ends_at: at.toISOString() }).where('id', '=', id).execute();
}

export async function markRetracted(tx: Db, id: number, by: number, at: Date): Promise<void> {
  const set = { retracted_at: at.toISOString(), retracted_by: by };
  await tx.updateTable('incidents').set(set).where('id', '=', id).execute();
}
