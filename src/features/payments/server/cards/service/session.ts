import type Stripe from 'stripe';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { BRAND } from '#shared/brand.ts';
import { unitsToCents } from '#shared/money.ts';

import { asking, type CardsContext, isMissing } from '../context.ts';
import type { CheckoutRow } from '../store/invoices.ts';
import { deleteCustomer, findCustomer, saveCustomer } from '../store/subscriptions.ts';

type Person = { id: number; email: string };

async function ensureCustomer(
  ctx: CardsContext,
  row: CheckoutRow,
  { id, email }: Person,
  instead = '',
): Promise<string> {
  const known = await findCustomer(ctx.db, id);
  if (known) return known;
  const made = await asking(ctx, (stripe) =>
    stripe.customers.create(
      { email, metadata: { userId: String(id) } },
      { idempotencyKey: `customer:${row.id}:${email}${instead}` },
    ),
  );
  return saveCustomer(ctx.db, id, made.id);
}

/** Combines all reductions of the first period: Stripe accepts one discount per checkout. */
async function ensureCoupon(ctx: CardsContext, row: CheckoutRow): Promise<string | undefined> {
  const off = BigInt(row.regular) - BigInt(row.price) + BigInt(row.credit_used);
  if (off === 0n) return undefined;
  const coupon = await asking(ctx, (stripe) =>
    stripe.coupons.create(
      {
        amount_off: unitsToCents(off),
        currency: 'usd',
        duration: 'once',
        max_redemptions: 1,
        name: row.credit_used > 0 ? 'Your balance' : 'First month',
      },
      { idempotencyKey: `coupon:${row.id}` },
    ),
  );
  return coupon.id;
}

const productName = ({ plan, months }: CheckoutRow) =>
  `${BRAND.name} ${PLAN_NAMES[plan]}, ${months === 1 ? '1 month' : `${months} months`}`;

/**
 * The Stripe session of a checkout. Every parameter derives from the checkout and the customer, so a repeated request,
 * even after a lost response, returns the same session.
 */
export async function openSession(ctx: CardsContext, row: CheckoutRow, user: Person): Promise<Stripe.Checkout.Session> {
  const coupon = await ensureCoupon(ctx, row);
  const seconds = (at: string) => Math.floor(Date.parse(at) / 1000);
  const page = `${ctx.publicUrl()}/app/subscription?checkout=`;
  const metadata = { userId: String(user.id), plan: row.plan, months: String(row.months), checkout: row.id };
  const create = (customer: string) =>
    asking(ctx, (stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: String(user.id),
          allowed_payment_method_types: ['card'],
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: 'usd',
                unit_amount: unitsToCents(BigInt(row.regular)),
                product_data: { name: productName(row) },
                recurring: { interval: 'month', interval_count: row.months },
              },
            },
          ],
          ...(coupon ? { discounts: [{ coupon }] } : {}),
          subscription_data: { metadata, ...(row.starts_at ? { trial_end: seconds(row.starts_at) } : {}) },
          metadata,
          expires_at: seconds(row.expires_at),
          success_url: `${page}success`,
          cancel_url: `${page}cancelled`,
        },
        { idempotencyKey: `session:${row.id}:${customer}` },
      ),
    );
  const customer = await ensureCustomer(ctx, row, user);
  try {
    return await create(customer);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    // Another Stripe account, or the customer was deleted there.
    await deleteCustomer(ctx.db, user.id, customer);
    return create(await ensureCustomer(ctx, row, user, `:${customer}`));
  }
}
