import type { Insertable, Selectable } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';

export type CheckoutRow = Selectable<Tables['card_checkouts']>;

export const findOpenCheckout = (db: Db, userId: number): Promise<CheckoutRow | undefined> =>
  db
    .selectFrom('card_checkouts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .executeTakeFirst();

export const findCheckout = (db: Db, id: string): Promise<CheckoutRow | undefined> =>
  db.selectFrom('card_checkouts').selectAll().where('id', '=', id).executeTakeFirst();

export const insertCheckout = (db: Db, row: Insertable<Tables['card_checkouts']>): Promise<CheckoutRow> =>
  db.insertInto('card_checkouts').values(row).returningAll().executeTakeFirstOrThrow();

export async function setSession(db: Db, id: string, sessionId: string, url: string): Promise<void> {
  await db.updateTable('card_checkouts').set({ session_id: sessionId, url }).where('id', '=', id).execute();
}

export async function setCheckoutState(db: Db, id: string, state: CheckoutRow['state']): Promise<void> {
  await db.updateTable('card_checkouts').set({ state }).where('id', '=', id).execute();
}

/** One that was not paid. */
export async function closeCheckout(db: Db, id: string): Promise<void> {
  await db
    .updateTable('card_checkouts')
    .set({ state: 'closed' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('card_checkouts')
    .set({ state: 'closed' })
    .where('session_id', '=', sessionId)
    .where('state', '=', 'open')
    .execute();
}
