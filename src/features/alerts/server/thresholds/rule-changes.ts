import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export const RULES_CHANNEL = 'rules';

/** Tells the owners, at the commit of the transaction that changed them, whose rules have to be read again. */
export async function notifyRuleChange(tx: Db, userId: number): Promise<void> {
  await sql`select pg_notify(${RULES_CHANNEL}, ${String(userId)})`.execute(tx);
}
