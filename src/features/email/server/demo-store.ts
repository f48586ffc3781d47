import type { Db } from '#server/platform/db.ts';

import type { DemoMailHead } from '../contract.ts';

const mailsTo = (db: Db, address: string) =>
  db.selectFrom('mail_outbox').select(['id', 'subject', 'kind', 'created_at as at']).where('address', '=', address);

export async function findAddress(db: Db, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** Newest first. */
export const newestTo = (db: Db, address: string, count: number): Promise<DemoMailHead[]> =>
  mailsTo(db, address).orderBy('id', 'desc').limit(count).execute();

/** `body` is sealed. */
export const findMailTo = (
  db: Db,
  address: string,
  id: number,
): Promise<(DemoMailHead & { body: string | null }) | undefined> =>
  mailsTo(db, address).select('body').where('id', '=', id).executeTakeFirst();
