import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

/** What one entry of the books did to an account; 0 when there is none. */
export async function postedIn(db: Db, key: string, account: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where key = ${key} and account = ${account}`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}

/** What is still lost of one deposit. */
export async function lostOf(db: Db, deposit: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where account = 'loss' and (key like ${`loss:${deposit}:%`} or key like ${`unloss:${deposit}:%`})`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}
