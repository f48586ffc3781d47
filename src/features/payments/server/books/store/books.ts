import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

/** Sums by account, those of people's balances together as 'credit'. */
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
