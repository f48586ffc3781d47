import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

/** Ledger sums by account, with all user balances combined as 'credit'. */
export async function sumsByAccount(db: Db): Promise<Map<string, Units>> {
  const { rows } = await sql<{ account: string; sum: string }>`
    select case when account like 'credit:%' then 'credit' else account end as account, sum(units)::text as sum
    from postings group by 1`.execute(db);
  return new Map(rows.map(({ account, sum }) => [account, BigInt(sum)]));
}

export async function findCursors(db: Db): Promise<Map<string, { head: number; lookedAt: string }>> {
  const rows = await db.selectFrom('usdc_cursors').select(['network', 'head', 'polled_at']).execute();
  return new Map(rows.map(({ network, head, polled_at }) => [network, { head, lookedAt: polled_at }]));
}

export async function findUserId(db: Db, email: string): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst();
  return row?.id;
}

export type PaymentRow = {
  id: string;
  at: string;
  user_id: number;
  email: string | null;
  method: 'card' | 'base' | 'solana';
  plan: string | null;
  months: number | null;
  due: string;
  paid: string;
  refunded: string;
  is_applied: boolean;
  is_over: boolean;
  status: string;
};

const holding = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

type Wanted = { q: string | undefined; before: string | undefined; now: Date; count: number };

export async function newestPayments(db: Db, { q, before, now, count }: Wanted): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select p.*, u.email from (
      select i.id, i.created_at as at, i.user_id, 'card' as method, s.plan, s.months, i.units_paid::text as due,
        i.units_paid::text as paid, i.units_refunded::text as refunded, i.status = 'paid' as is_applied, false as is_over, i.status
      from card_invoices i left join card_subscriptions s on s.id = i.subscription_id
      union all
      select w.id, w.created_at, w.user_id, w.network, w.plan, w.months, w.due::text,
        coalesce((select sum(units) from usdc_deposits d where d.payment_id = w.id and d.state in ('seen', 'confirmed', 'final')), 0)::text,
        '0', w.applied_at is not null, w.expires_at < ${now.toISOString()}::timestamptz, ''
      from usdc_payments w
    ) p left join users u on u.id = p.user_id
    where ${before === undefined ? sql`true` : sql`p.at < ${before}::timestamptz`}
      and ${q ? sql`(u.email like ${holding(q)} or lower(p.id) like ${holding(q)})` : sql`true`}
    order by p.at desc, p.id desc limit ${count}`.execute(db);
  return rows;
}

export type SuspenseRow = {
  network: 'base' | 'solana';
  tx: string;
  idx: number;
  at: string;
  units: string;
  sender: string;
};

export async function findSuspense(db: Db): Promise<SuspenseRow[]> {
  return db
    .selectFrom('usdc_deposits')
    .select(['network', 'tx', 'idx', 'at', 'units', 'sender'])
    .where('is_credited', '=', true)
    .where('payment_id', 'is', null)
    .where('owner_id', 'is', null)
    .orderBy('at', 'desc')
    .limit(500)
    .execute();
}

export type ClaimRow = {
  id: number;
  user_id: number;
  email: string | null;
  network: 'base' | 'solana';
  tx: string;
  wallet: string;
  created_at: string;
};

export async function findWaitingClaims(db: Db): Promise<ClaimRow[]> {
  return db
    .selectFrom('usdc_claims as c')
    .leftJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.user_id', 'u.email', 'c.network', 'c.tx', 'c.wallet', 'c.created_at'])
    .where('c.state', '=', 'waiting')
    .orderBy('c.id')
    .execute();
}

type Deposit = { network: 'base' | 'solana'; tx: string; idx: number };

/** Assigns the deposit to an account; undefined when it does not exist, is not final or already has an owner. */
export async function takeSuspense(
  db: Db,
  { network, tx, idx }: Deposit,
  userId: number,
): Promise<{ units: string } | undefined> {
  return db
    .updateTable('usdc_deposits')
    .set({ owner_id: userId })
    .where('network', '=', network)
    .where('tx', '=', tx)
    .where('idx', '=', idx)
    .where('is_credited', '=', true)
    .where('state', '=', 'final')
    .where('payment_id', 'is', null)
    .where('owner_id', 'is', null)
    .returning('units')
    .executeTakeFirst();
}

/** Decides every claim to the deposit: the owner's is credited, the others are refused. */
export async function decideClaims(
  db: Db,
  { network, tx }: Deposit,
  { ownerId, adminId, at }: { ownerId: number; adminId: number; at: Date },
): Promise<void> {
  await sql`update usdc_claims set state = case when user_id = ${ownerId} then 'credited' else 'refused' end,
    decided_at = ${at.toISOString()}::timestamptz, decided_by = ${adminId}
    where network = ${network} and tx = ${tx} and state = 'waiting'`.execute(db);
}
