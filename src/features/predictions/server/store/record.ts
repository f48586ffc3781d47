import type { Backtest } from '#features/predictions/contract.ts';
import type { Db } from '#server/platform/db.ts';

import '../schema.ts';

export async function saveRecord(db: Db, record: Backtest): Promise<void> {
  const row = { scored_at: record.timestamp, body: JSON.stringify(record) };
  await db
    .insertInto('prediction_record')
    .values(row)
    .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
    .execute();
}

export async function findRecord(db: Db): Promise<Backtest | undefined> {
  const row = await db.selectFrom('prediction_record').select('body').executeTakeFirst();
  return row?.body as Backtest | undefined;
}
