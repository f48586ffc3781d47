import type { Db } from '#kernel/db.ts';

import '../schema.ts';
import type { WhiteLabel } from '#features/exports/contract/exports.ts';

export const findLook = (db: Db, userId: number): Promise<WhiteLabel | undefined> =>
  db.selectFrom('export_looks').select(['name', 'logo', 'colour']).where('user_id', '=', userId).executeTakeFirst();

export async function storeLook(db: Db, userId: number, look: WhiteLabel, at: Date): Promise<void> {
  const row = { ...look, updated_at: at.toISOString() };
  await db
    .insertInto('export_looks')
    .values({ user_id: userId, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute();
}

/** 'user' of a deleted account. */
export async function roleOf(db: Db, userId: number): Promise<'user' | 'admin'> {
  const row = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst();
  return row?.role ?? 'user';
}
