import type { Auth } from '#features/accounts/server/auth/service.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { BillingContext } from '#features/payments/server/billing/service.ts';
import { type Cards, createCards } from '#features/payments/server/cards/service.ts';
import type { Rail } from '#features/payments/server/usdc/rail.ts';
import { createUsdc, type Usdc } from '#features/payments/server/usdc/service.ts';
import type { Connection } from '#kernel/db.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import type { Live } from '#kernel/live/live.ts';
import { OWN, ownedBy, QUEUE, SECRET } from '#kernel/personal-data.ts';
import { billingJobs } from './billing/jobs.ts';
import { billingRoutes } from './billing/routes.ts';
import { booksRoutes } from './books/routes.ts';
import { cardsJobs } from './cards/jobs.ts';
import { cardsRoutes } from './cards/routes.ts';
import { usdcJobs } from './usdc/jobs.ts';
import { usdcRoutes } from './usdc/routes.ts';

/** All payment methods and their billing. */
type Payments = { billing: BillingContext; cards: Cards; usdc: Usdc };

export type Rails = Partial<Record<Network, Rail>>;

/** `rails` replaces the real networks. */
function createPayments(auth: Auth, live: Live, direct: Connection, rails?: Rails): Payments {
  const paying = { ...auth.ctx, live };
  const cards = createCards(paying);
  auth.ctx.farewells.push(cards.leave);
  const usdc = createUsdc({ ...paying, direct, cardOf: cards.cardOf, bought: cards.giveWay }, rails);
  return { cards, usdc, billing: { ...paying, ways: [cards.way, usdc.way], cardOf: cards.cardOf } };
}

export const payments = feature({
  name: 'payments',
  create: ({ auth, live, direct, rails }: FeatureContext & { auth: Auth; rails?: Rails }) =>
    createPayments(auth, live, direct, rails),
  routes(app, parts: Payments) {
    billingRoutes(app, parts.billing);
    cardsRoutes(app, parts.cards);
    usdcRoutes(app, parts.usdc);
    booksRoutes(app, parts);
  },
  jobs: ({ billing, cards, usdc }: Payments) => [...billingJobs(billing), ...cardsJobs(cards), ...usdcJobs(usdc)],
  personalData: [
    ownedBy('plan_grants', 'created_at source plan months days good_at units note', {
      id: QUEUE,
      created_by: 'the ID of an administrator',
    }),
    ownedBy('trials', 'started_at ends_at'),
    ownedBy('billing_notices', 'sent_at kind', { key: QUEUE }),
    ownedBy('card_customers', 'customer_id'),
    ownedBy('card_subscriptions', 'created_at id plan months status period_end cancel_at_period_end updated_at', {
      customer_id: QUEUE,
      checkout_id: QUEUE,
      version: QUEUE,
    }),
    ownedBy('card_checkouts', 'quoted_at plan months regular price credit_used proration starts_at expires_at state', {
      id: QUEUE,
      session_id: QUEUE,
      url: SECRET,
    }),
    ownedBy('card_invoices', 'created_at number status units_paid units_refunded paid_at hosted_url', {
      id: QUEUE,
      subscription_id: QUEUE,
    }),
    ownedBy(
      'usdc_payments',
      'created_at id number network address plan months price credit_used proration due expires_at applied_at',
      {
        route: QUEUE,
        applications: QUEUE,
      },
    ),
    {
      table: 'usdc_deposits',
      joined: { column: 'payment_id', table: 'usdc_payments', key: 'id', of: 'user_id' },
      shown: 'at network tx sender units state payment_id',
      hidden: {
        idx: QUEUE,
        block: QUEUE,
        block_hash: QUEUE,
        token: QUEUE,
        route: QUEUE,
        is_credited: QUEUE,
        generation: QUEUE,
        owner_id: OWN,
        seen_at: QUEUE,
      },
    },
    ownedBy('usdc_claims', 'created_at network tx wallet message state note decided_at', {
      id: QUEUE,
      proof: SECRET,
      decided_by: 'the ID of an administrator',
    }),
  ],
});
