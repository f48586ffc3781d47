import { sql } from 'kysely';

import type { PaidPlan } from '#features/payments/contract/billing.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';
import '../schema.ts';

export type StoredPayment = {
  id: string;
  number: number;
  userId: number;
  network: Network;
  address: string;
  route: string;
  plan: PaidPlan;
  months: number;
  price: Units;
  creditUsed: Units;
  proration: Units;
  due: Units;
  createdAt: Date;
  expiresAt: Date;
  applications: number;
  appliedAt: Date | null;
};

const COLUMNS = [
  'id',
  'number',
  'user_id',
  'network',
  'address',
  'route',
  'plan',
  'months',
  'price',
  'credit_used',
  'proration',
  'due',
  'created_at',
  'expires_at',
  'applications',
  'applied_at',
] as const;

const select = (db: Db) => db.selectFrom('usdc_payments').select(COLUMNS);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const toPayment = (row: Row): StoredPayment => ({
  id: row.id,
  number: row.number,
  userId: row.user_id,
  network: row.network,
  address: row.address,
  route: row.route,
  plan: row.plan,
  months: row.months,
  price: BigInt(row.price),
  creditUsed: BigInt(row.credit_used),
  proration: BigInt(row.proration),
  due: BigInt(row.due),
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  applications: row.applications,
  appliedAt: row.applied_at === null ? null : new Date(row.applied_at),
});

/** Limited to one account's payments. */
export async function findPayment(db: Db, id: string, userId: number): Promise<StoredPayment | undefined> {
  const row = await select(db).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return row && toPayment(row);
}

/** Newest first. */
export async function listPayments(db: Db, userIds: readonly number[]): Promise<StoredPayment[]> {
  if (userIds.length === 0) return [];
  const rows = await select(db).where('user_id', 'in', userIds).orderBy('number', 'desc').execute();
  return rows.map(toPayment);
}

/** Payments of the routes, by route. */
export async function paymentsByRoute(
  db: Db,
  network: Network,
  routes: readonly string[],
): Promise<Map<string, StoredPayment>> {
  if (routes.length === 0) return new Map();
  const rows = await select(db)
    .where('network', '=', network)
    .where(sql<boolean>`route = any(${routes}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.route, toPayment(row)]));
}

export async function paymentsById(db: Db, ids: readonly string[]): Promise<Map<string, StoredPayment>> {
  if (ids.length === 0) return new Map();
  const rows = await select(db).where(sql<boolean>`id = any(${ids}::text[])`).execute();
  return new Map(rows.map((row) => [row.id, toPayment(row)]));
}

/** Earlier payments with the same choice, newest first. */
export async function findSimilar(
  db: Db,
  like: Pick<StoredPayment, 'userId' | 'plan' | 'months' | 'network'>,
  count: number,
): Promise<StoredPayment[]> {
  const rows = await select(db)
    .where('user_id', '=', like.userId)
    .where('plan', '=', like.plan)
    .where('months', '=', like.months)
    .where('network', '=', like.network)
    .orderBy('number', 'desc')
    .limit(count)
    .execute();
  return rows.map(toPayment);
}

export type NewPayment = Omit<StoredPayment, 'number' | 'address' | 'route' | 'applications' | 'appliedAt'>;

/** Returns its number; `setRoute` adds the derived route in the same transaction. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<number> {
  const row = await db
    .insertInto('usdc_payments')
    .values({
      id: payment.id,
      user_id: payment.userId,
      network: payment.network,
      address: '',
      route: payment.id,
      plan: payment.plan,
      months: payment.months,
      price: Number(payment.price),
      credit_used: Number(payment.creditUsed),
      proration: Number(payment.proration),
      due: Number(payment.due),
      created_at: payment.createdAt.toISOString(),
      expires_at: payment.expiresAt.toISOString(),
      applied_at: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return row.number;
}

export async function setRoute(
  db: Db,
  id: string,
  { address, route }: { address: string; route: string },
): Promise<void> {
  await db.updateTable('usdc_payments').set({ address, route }).where('id', '=', id).execute();
}

/** Null revokes it. */
export async function setApplied(db: Db, id: string, at: Date | null, applications: number): Promise<void> {
  await db
    .updateTable('usdc_payments')
    .set({ applied_at: at?.toISOString() ?? null, applications })
    .where('id', '=', id)
    .execute();
}

/** Serialises the allocation of amounts per network. */
export const lockAmounts = (db: Db, network: Network): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(72460182, ${network === 'base' ? 1 : 2})`.execute(db);

/** Amounts in use, with the routes of their payments. */
export async function listAmountsSince(db: Db, network: Network, since: Date): Promise<Map<Units, string>> {
  const rows = await db
    .selectFrom('usdc_payments')
    .select(['due', 'route'])
    .where('network', '=', network)
    .where('due', '>', 0)
    .where('expires_at', '>', since.toISOString())
    .orderBy('number')
    .execute();
  return new Map(rows.map(({ due, route }) => [BigInt(due), route]));
}

export async function listRoutes(db: Db, network: Network): Promise<string[]> {
  const rows = await db.selectFrom('usdc_payments').select('route').where('network', '=', network).execute();
  return rows.map(({ route }) => route);
}

/** The accounts among these that still exist, locked until the transaction ends. */
export async function accountsLeft(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.selectFrom('users').select('id').where('id', 'in', userIds).forKeyShare().execute();
  return new Set(rows.map(({ id }) => id));
}
