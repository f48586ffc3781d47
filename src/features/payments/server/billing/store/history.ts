import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import '../schema.ts';

export type CreditEntry = { key: string; at: Date; units: Units };

const MOST = 500;

/** What was put on or taken off an account by the rest of an earlier plan or by hand, newest first; ways to pay tell of their own. */
export async function findCreditEntries(db: Db, account: string): Promise<CreditEntry[]> {
  const rows = await db
    .selectFrom('postings as p')
    .innerJoin('journal as j', 'j.key', 'p.key')
    .select(['p.key', 'j.at', 'p.units'])
    .where('p.account', '=', account)
    .where((eb) => eb.or([eb('p.key', 'like', 'prorate:%'), eb('p.key', 'like', 'admin:%')]))
    .orderBy('j.at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(({ key, at, units }) => ({ key, at: new Date(at), units: BigInt(units) }));
}
