import { sql } from 'kysely';

import { type Backtest, type BacktestSummary, backtestSummary } from '#features/analysis/contract/predictions.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** The record of now, and what of it is shown of this moment later. */
export async function saveRecord(db: Db, record: Backtest, summary: BacktestSummary): Promise<void> {
  const row = { scored_at: record.timestamp, body: JSON.stringify(record) };
  const then = { scored_at: record.timestamp, body: JSON.stringify(summary) };
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('prediction_record')
      .values(row)
      .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
      .execute();
    await tx
      .insertInto('prediction_records')
      .values(then)
      .onConflict((oc) => oc.column('scored_at').doUpdateSet(then))
      .execute();
  });
}

export async function findRecord(db: Db): Promise<Backtest | undefined> {
  const row = await db.selectFrom('prediction_record').select('body').executeTakeFirst();
  return row?.body as Backtest | undefined;
}

const withRanges = <T extends object>(cell: T) => ({ ranges: null, ...cell });

/** As it was last scored by a moment. */
export async function findRecordAt(db: Db, moment: Date): Promise<BacktestSummary | undefined> {
  const row = await db
    .selectFrom('prediction_records')
    .select('body')
    .where('scored_at', '<=', moment.toISOString())
    .orderBy('scored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What an earlier version stored may say less than is shown today: before ranges were graded there are none.
  const stored: Partial<BacktestSummary> | undefined = row?.body;
  const { headline, cells } = stored ?? {};
  return backtestSummary.safeParse({
    ...stored,
    headline: headline && withRanges(headline),
    cells: cells?.map(withRanges),
  }).data;
}

/** Of days that ended before `until` the last scoring stays. */
export async function thinRecords(db: Db, until: Date): Promise<void> {
  await sql`delete from prediction_records r where r.scored_at < ${until.toISOString()}
    and exists (select 1 from prediction_records l where l.scored_at > r.scored_at
      and l.scored_at < date_trunc('day', r.scored_at at time zone 'UTC') at time zone 'UTC' + interval '1 day')`.execute(
    db,
  );
}
