import { type Insertable, type Selectable, sql } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import '../schema.ts';
import type { InvoiceSnapshot, SubscriptionSnapshot } from '../stripe-snapshot.ts';

export type InvoiceRow = Selectable<Tables['card_invoices']>;
export type BoughtInvoice = InvoiceRow & {
  plan: 'pro' | 'premium';
  months: number;
  checkout: string | null;
  /** Status of its subscription. */
  subscription: string;
  /** Per period, micro-dollars. */
  regular: number | null;
};

export type SeenEvent = { id: string; type: string; createdAt: Date };

export async function isSeen(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('card_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** False when it was already recorded. */
export async function insertEvent(db: Db, event: SeenEvent, at: Date): Promise<boolean> {
  const row = await db
    .insertInto('card_events')
    .values({
      id: event.id,
      type: event.type,
      created_at: event.createdAt.toISOString(),
      received_at: at.toISOString(),
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function upsertInvoice(db: Db, sub: SubscriptionSnapshot, invoice: InvoiceSnapshot): Promise<void> {
  const now = {
    status: invoice.status,
    units_paid: Number(invoice.paid),
    paid_at: invoice.paidAt?.toISOString() ?? null,
    number: invoice.number,
    hosted_url: invoice.url,
  };
  await db
    .insertInto('card_invoices')
    .values({
      id: invoice.id,
      user_id: sub.userId,
      subscription_id: sub.id,
      created_at: invoice.createdAt.toISOString(),
      ...now,
    })
    .onConflict((on) => on.column('id').doUpdateSet(now))
    .execute();
}

const selectBought = (db: Db) =>
  db
    .selectFrom('card_invoices as i')
    .innerJoin('card_subscriptions as s', 's.id', 'i.subscription_id')
    .leftJoin('card_checkouts as c', 'c.id', 's.checkout_id')
    .selectAll('i')
    .select(['s.plan', 's.months', 'c.state as checkout', 'c.regular', 's.status as subscription']);

/** Newest first. */
export const findInvoices = (db: Db, userId: number): Promise<BoughtInvoice[]> =>
  selectBought(db).where('i.user_id', '=', userId).orderBy('i.created_at', 'desc').orderBy('i.id').execute();

export const findInvoice = (db: Db, id: string): Promise<BoughtInvoice | undefined> =>
  selectBought(db).where('i.id', '=', id).executeTakeFirst();

export async function setRefunded(db: Db, id: string, units: Units): Promise<void> {
  await db
    .updateTable('card_invoices')
    .set({ units_refunded: Number(units) })
    .where('id', '=', id)
    .execute();
}

export type Posting = { key: string; account: string; units: Units; at: string };

/** Every ledger line about an invoice. */
export async function readPostings(db: Db, invoiceId: string): Promise<Posting[]> {
  const { rows } = await sql<{ key: string; account: string; units: number; at: string }>`
    select p.key, p.account, p.units, j.at from postings p join journal j on j.key = p.key
    where p.key in (${`card:${invoiceId}`}, ${`card-credit:${invoiceId}`}, ${`prorate:stripe:invoice:${invoiceId}`})
      or p.key like ${`card-refund:${invoiceId}:%`}
    order by j.at, p.key, p.account`.execute(db);
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export type GrantRow = { goodAt: Date; units: Units; plan: 'pro' | 'premium'; months: number };

export async function findGrant(db: Db, source: string): Promise<GrantRow | undefined> {
  const row = await db
    .selectFrom('plan_grants')
    .select(['good_at', 'units', 'plan', 'months'])
    .where('source', '=', source)
    .executeTakeFirst();
  return row && { ...row, goodAt: new Date(row.good_at), units: BigInt(row.units) };
}

/** False when that notice was already sent. */
export async function insertNotice(db: Db, key: string, userId: number, at: Date): Promise<boolean> {
  const row = await db
    .insertInto('billing_notices')
    .values({ key, user_id: userId, kind: 'card-refused', sent_at: at.toISOString() })
    .onConflict((on) => on.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Time up to which events have been replayed; undefined before the first run. */
export async function replayedUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('card_replays').select('until').executeTakeFirst();
  return row && new Date(row.until);
}

export async function setReplayed(db: Db, until: Date): Promise<void> {
  await db
    .insertInto('card_replays')
    .values({ until: until.toISOString() })
    .onConflict((on) => on.column('one').doUpdateSet({ until: until.toISOString() }))
    .execute();
}

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

/** Closes an unpaid checkout. */
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
