import type { Selectable } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';
import type { SubscriptionSnapshot } from '../stripe-snapshot.ts';

export type SubscriptionRow = Selectable<Tables['card_subscriptions']>;

/** Statuses in which Stripe may still charge. */
export const LIVE = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'] as const;

export const findLive = (db: Db, userId: number): Promise<SubscriptionRow[]> =>
  db
    .selectFrom('card_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', 'in', LIVE)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** 0 while it is unknown. */
export async function readVersion(db: Db, id: string): Promise<number> {
  const row = await db.selectFrom('card_subscriptions').select('version').where('id', '=', id).executeTakeFirst();
  return row?.version ?? 0;
}

export async function findSubscriptionUser(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('card_subscriptions').select('user_id').where('id', '=', id).executeTakeFirst();
  return row?.user_id;
}

export async function upsertSubscription(db: Db, sub: SubscriptionSnapshot, at: Date): Promise<void> {
  const now = {
    status: sub.status,
    period_end: sub.periodEnd?.toISOString() ?? null,
    cancel_at_period_end: sub.cancelAtPeriodEnd,
    updated_at: at.toISOString(),
  };
  await db
    .insertInto('card_subscriptions')
    .values({
      id: sub.id,
      user_id: sub.userId,
      customer_id: sub.customerId,
      plan: sub.plan,
      months: sub.months,
      created_at: sub.createdAt.toISOString(),
      checkout_id: sub.checkoutId,
      ...now,
    })
    .onConflict((on) =>
      on.column('id').doUpdateSet((eb) => ({ ...now, version: eb('card_subscriptions.version', '+', 1) })),
    )
    .execute();
}

/** Stripe no longer knows the subscription. */
export async function endSubscription(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('card_subscriptions')
    .set((eb) => ({ status: 'canceled', updated_at: at.toISOString(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Subscriptions past the end of their period without a known outcome. */
export async function findOverdue(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('card_subscriptions')
    .select('id')
    .where('status', 'in', ['active', 'trialing'])
    .where('period_end', '<', before.toISOString())
    .orderBy('period_end')
    .execute();
  return rows.map(({ id }) => id);
}

/** Subscriptions of an account whose refused charge was followed by a payment in USDC. */
export async function findPaidOtherwise(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('card_subscriptions as s')
    .innerJoin('card_invoices as i', 'i.subscription_id', 's.id')
    .innerJoin('plan_grants as g', 'g.user_id', 's.user_id')
    .leftJoin('plan_grant_revocations as r', 'r.source', 'g.source')
    .select('s.id')
    .distinct()
    .where('s.user_id', '=', userId)
    .where('s.status', 'in', ['past_due', 'unpaid'])
    .where('i.status', '=', 'open')
    .where('g.source', 'like', 'wallet:%')
    .where('r.source', 'is', null)
    .whereRef('g.created_at', '>', 'i.created_at')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Accounts whose subscriptions may have to end: they have several, are deleted or disabled, paid for something they did
 * not get, or also paid in USDC.
 */
export async function findNeedingCleanUp(db: Db): Promise<number[]> {
  const [own, beside] = await Promise.all([findClashing(db), findOverlappingUsdc(db)]);
  return [...new Set([...own, ...beside])];
}

async function findOverlappingUsdc(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('card_subscriptions as s')
    .innerJoin('plan_grants as g', 'g.user_id', 's.user_id')
    .select('s.user_id')
    .distinct()
    .where('s.status', 'in', LIVE)
    .where('s.cancel_at_period_end', '=', false)
    .where('g.source', 'like', 'wallet:%')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

async function findClashing(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('card_subscriptions as s')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('card_checkouts as c', 'c.id', 's.checkout_id')
    .select('s.user_id')
    .where('s.status', 'in', LIVE)
    .groupBy(['s.user_id', 'u.id'])
    .having((eb) =>
      eb.or([
        eb(eb.fn.countAll(), '>', 1),
        eb('u.id', 'is', null),
        eb.and([
          eb('u.disabled_at', 'is not', null),
          eb(eb.fn.count('s.id').filterWhere('s.cancel_at_period_end', '=', false), '>', 0),
        ]),
        eb(eb.fn.count('c.id').filterWhere('c.state', '=', 'short'), '>', 0),
      ]),
    )
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function findCustomer(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('card_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.customer_id;
}

/** Returns the stored id: of two concurrent calls the first wins. */
export async function saveCustomer(db: Db, userId: number, customerId: string): Promise<string> {
  await db
    .insertInto('card_customers')
    .values({ user_id: userId, customer_id: customerId })
    .onConflict((on) => on.doNothing())
    .execute();
  return (await findCustomer(db, userId)) ?? customerId;
}

export async function deleteCustomer(db: Db, userId: number, customerId: string): Promise<void> {
  await db.deleteFrom('card_customers').where('user_id', '=', userId).where('customer_id', '=', customerId).execute();
}

/** Undefined when the account has been deleted. */
export async function findOwner(db: Db, userId: number): Promise<{ email: string; isDisabled: boolean } | undefined> {
  const row = await db.selectFrom('users').select(['email', 'disabled_at']).where('id', '=', userId).executeTakeFirst();
  return row && { email: row.email, isDisabled: row.disabled_at !== null };
}
