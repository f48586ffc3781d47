import type { Db } from '#kernel/db.ts';

/** Undefined when the account was deleted: payments outlive it. */
export async function findAddress(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email;
}
