import { sql } from 'kysely';

import type { Horizon, TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';
import '../schema.ts';

const ENABLED = sql`exists (select 1 from users u where u.id = f.user_id and u.disabled_at is null)`;

export type ForecasterRow = { id: number; name: string; joined_at: string; forecasts: number; open: number };

const counts = sql`select count(*)::int as forecasts, (count(*) filter (where p.state = 'open'))::int as open
  from predictions p where p.forecaster_id = f.id`;

export async function findForecasterOfUser(db: Db, userId: number): Promise<{ id: number; name: string } | undefined> {
  return db.selectFrom('league_forecasters').select(['id', 'name']).where('user_id', '=', userId).executeTakeFirst();
}

/** Undefined when the name, or the account, already has a forecaster. */
export async function insertForecaster(
  tx: Db,
  { userId, name, at }: { userId: number; name: string; at: Date },
): Promise<{ id: number; name: string } | undefined> {
  return tx
    .insertInto('league_forecasters')
    .values({ user_id: userId, name, joined_at: at.toISOString() })
    .onConflict((oc) => oc.doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst();
}

/** Forecasts of a UTC day, as 'BTC 24h'. */
export async function forecastOn(db: Db, forecasterId: number, at: Date): Promise<Set<string>> {
  const { rows } = await sql<{ what: string }>`select asset || ' ' || horizon as what from predictions
    where forecaster_id = ${forecasterId}
      and (issued_at at time zone 'UTC')::date = (${at.toISOString()}::timestamptz at time zone 'UTC')::date`.execute(
    db,
  );
  return new Set(rows.map(({ what }) => what));
}

export async function findForecaster(db: Db, name: string): Promise<ForecasterRow | undefined> {
  const { rows } = await sql<ForecasterRow>`select f.id, f.name, f.joined_at, c.* from league_forecasters f
    cross join lateral (${counts}) c where f.name = ${name} and ${ENABLED}`.execute(db);
  return rows[0];
}

/** With names and counts, in the order of the IDs. */
export async function readForecasters(db: Db, ids: readonly number[]): Promise<ForecasterRow[]> {
  const { rows } = await sql<ForecasterRow>`select f.id, f.name, f.joined_at, c.* from
    unnest(${[...ids]}::int[]) with ordinality i (id, place) join league_forecasters f on f.id = i.id
    cross join lateral (${counts}) c order by i.place`.execute(db);
  return rows;
}

/** IDs of forecasters with an enabled account, in the order they joined. */
export async function shownForecasters(db: Db): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select f.id from league_forecasters f where ${ENABLED} order by f.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Forecasters with outcomes that are not scored yet. */
export async function unscoredForecasters(db: Db): Promise<number[]> {
  const { rows } = await sql<{ forecaster_id: number }>`select p.forecaster_id from predictions p
    where p.forecaster_id is not null and p.outcome_seq is not null group by 1
    having max(p.outcome_seq) > coalesce(
      (select max(r.through_seq) from league_records r where r.forecaster_id = p.forecaster_id), 0)
    order by 1`.execute(db);
  return rows.map(({ forecaster_id: id }) => id);
}

/** One cell of the league with p before correction; null while not tested. */
export type Standing = {
  forecaster_id: number;
  horizon: Horizon;
  through_seq: number;
  n_eff: number;
  p_ahead: number | null;
  p_behind: number | null;
  skill: number | null;
  dates: number;
};

export async function standings(db: Db): Promise<Standing[]> {
  const { rows } = await sql<Standing>`select forecaster_id, horizon, through_seq, n_eff, p_ahead, p_behind,
    (cell ->> 'skill')::float8 as skill, (cell ->> 'dates')::int as dates from league_records
    order by forecaster_id, horizon`.execute(db);
  return rows;
}

export type StoredCell = {
  forecaster_id: number;
  horizon: Horizon;
  through_seq: number;
  scored_at: string;
  cell: TrackCell;
  shared: number | null;
  gain: number | null;
};

export async function readCells(db: Db, ids: readonly number[]): Promise<StoredCell[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('league_records')
    .select(['forecaster_id', 'horizon', 'through_seq', 'scored_at', 'cell', 'shared', 'gain'])
    .where('forecaster_id', 'in', [...ids])
    .execute();
  return rows as StoredCell[];
}

export type ScoredRow = {
  horizon: Horizon;
  nEff: number;
  tails: { ahead: number; behind: number } | null;
  cell: TrackCell;
};

export type Scored = { through: number; at: Date };

export async function saveCells(
  tx: Db,
  forecasterId: number,
  rows: readonly ScoredRow[],
  { through, at }: Scored,
): Promise<void> {
  await tx
    .insertInto('league_records')
    .values(
      rows.map(({ horizon, nEff, tails, cell }) => ({
        forecaster_id: forecasterId,
        horizon,
        through_seq: through,
        scored_at: at.toISOString(),
        n_eff: nEff,
        p_ahead: tails?.ahead ?? null,
        p_behind: tails?.behind ?? null,
        cell: JSON.stringify(cell),
      })),
    )
    .onConflict((oc) =>
      oc.columns(['forecaster_id', 'horizon']).doUpdateSet((eb) => ({
        through_seq: eb.ref('excluded.through_seq'),
        scored_at: eb.ref('excluded.scored_at'),
        n_eff: eb.ref('excluded.n_eff'),
        p_ahead: eb.ref('excluded.p_ahead'),
        p_behind: eb.ref('excluded.p_behind'),
        cell: eb.ref('excluded.cell'),
      })),
    )
    .execute();
}

/**
 * Contribution to the equally weighted pool: Brier score of the pool without the forecaster minus with the forecaster,
 * over forecasts that others also made for the same asset, horizon and UTC day.
 */
export async function saveContributions(db: Db): Promise<void> {
  const squared = (pool: (of: string) => ReturnType<typeof sql>) =>
    sql.join(
      ['up', 'flat', 'down'].map((of) => sql`power(${pool(of)} - (outcome = ${sql.lit(of)})::int, 2)`),
      sql` + `,
    );
  const others = squared((of) => sql`(${sql.ref(`sum_${of}`)} - ${sql.ref(of)}) / (n - 1)`);
  const everyone = squared((of) => sql`${sql.ref(`sum_${of}`)} / n`);
  await sql`update league_records r set shared = c.shared, gain = c.gain from (
    select forecaster_id, horizon, count(*)::int as shared, avg((${others}) - (${everyone})) as gain from (
      select forecaster_id, horizon, outcome, up, flat, down, count(*) over w as n,
        sum(up) over w as sum_up, sum(flat) over w as sum_flat, sum(down) over w as sum_down
      from predictions where forecaster_id is not null and state = 'graded'
      window w as (partition by asset, horizon, (issued_at at time zone 'UTC')::date)) f
    where n > 1 group by 1, 2) c
    where c.forecaster_id = r.forecaster_id and c.horizon = r.horizon`.execute(db);
}
