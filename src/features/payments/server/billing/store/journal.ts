import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';
import '../schema.ts';

export type NewEntry = {
  key: string;
  at: Date;
  about: string;
  createdBy: number | null;
  /** Account and micro-dollars; they sum to zero. */
  lines: readonly (readonly [account: string, units: Units])[];
};

/** False when the key stands already: then nothing is written. */
export async function insertEntry(db: Db, { key, at, about, createdBy, lines }: NewEntry): Promise<boolean> {
  const entry = await db
    .insertInto('journal')
    .values({ key, at: at.toISOString(), about, created_by: createdBy })
    .onConflict((on) => on.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!entry) return false;
  const rows = lines.filter(([, units]) => units !== 0n);
  if (rows.length > 0)
    await db
      .insertInto('postings')
      .values(rows.map(([account, units]) => ({ key, account, units: Number(units) })))
      .execute();
  return true;
}

/** Sum of an account as it stands in the books: what we owe is negative. */
export async function sumOf(db: Db, account: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where account = ${account}`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}
