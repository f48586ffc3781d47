import { type Generated, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { Commentary, Forecast, StoredExpected, StoredForecast, Vintage } from './types.ts';

declare module '#kernel/db.ts' {
  interface Tables {
    inflation_vintages: Vintage & { id: Generated<number> };
    inflation_expectations: StoredExpected;
    inflation_forecasts: Forecast & { id: Generated<number> };
    inflation_commentaries: Commentary;
  }
}

/** Every vintage, in the order of publication. */
export async function allVintages(db: Db): Promise<Vintage[]> {
  return db
    .selectFrom('inflation_vintages')
    .select(['series', 'period', 'value', 'published_at', 'first_print', 'source', 'fetched_at', 'method'])
    .orderBy('published_at')
    .orderBy('id')
    .execute();
}

/** Adds new vintages; existing ones are unchanged. */
export async function addVintages(db: Db, rows: readonly Vintage[]): Promise<number> {
  let added = 0;
  for (let i = 0; i < rows.length; i += 2000) {
    const part = rows.slice(i, i + 2000);
    const column = <K extends keyof Vintage>(name: K) => part.map((row) => row[name]);
    const { numAffectedRows } = await sql`
      insert into inflation_vintages (series, period, value, published_at, first_print, source, fetched_at, method)
      select * from unnest(${column('series')}::text[], ${column('period')}::text[], ${column('value')}::float8[],
        ${column('published_at')}::timestamptz[], ${column('first_print')}::boolean[], ${column('source')}::text[],
        ${column('fetched_at')}::timestamptz[], ${column('method')}::text[])
      on conflict do nothing`.execute(db);
    added += Number(numAffectedRows ?? 0);
  }
  return added;
}

export async function allExpectations(db: Db): Promise<StoredExpected[]> {
  return db.selectFrom('inflation_expectations').selectAll().orderBy('as_of').execute();
}

export async function addExpectations(db: Db, rows: readonly StoredExpected[]): Promise<number> {
  let added = 0;
  for (let i = 0; i < rows.length; i += 1000) {
    const result = await db
      .insertInto('inflation_expectations')
      .values(rows.slice(i, i + 1000))
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst();
    added += Number(result.numInsertedOrUpdatedRows ?? 0);
  }
  return added;
}

export async function allForecasts(db: Db): Promise<StoredForecast[]> {
  return db.selectFrom('inflation_forecasts').selectAll().orderBy('id').execute();
}

/** A forecaster has one forecast per release: the first one remains. */
export async function addForecasts(db: Db, rows: readonly Forecast[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('inflation_forecasts')
    .values([...rows])
    .onConflict((oc) => oc.columns(['type', 'period', 'forecaster']).doNothing())
    .execute();
}

export async function findCommentary(db: Db, subject: string): Promise<Commentary | undefined> {
  return db.selectFrom('inflation_commentaries').selectAll().where('subject', '=', subject).executeTakeFirst();
}

export async function addCommentary(db: Db, commentary: Commentary): Promise<void> {
  await db
    .insertInto('inflation_commentaries')
    .values(commentary)
    .onConflict((oc) => oc.doNothing())
    .execute();
}
