import type { Auth } from '#features/accounts/server/auth/service.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { BillingContext } from '#features/payments/server/billing/service.ts';
import { type Cards, createCards } from '#features/payments/server/cards/service.ts';
import type { Rail } from '#features/payments/server/usdc/rail.ts';
import { createUsdc, type Usdc } from '#features/payments/server/usdc/service.ts';

import type { Connection } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';

/** All payment methods and their billing. */
export type Payments = { billing: BillingContext; cards: Cards; usdc: Usdc };

export type Rails = Partial<Record<Network, Rail>>;

/** `rails` replaces the real networks. */
export function createPayments(auth: Auth, live: Live, direct: Connection, rails?: Rails): Payments {
  const paying = { ...auth.ctx, live };
  const cards = createCards(paying);
  auth.ctx.farewells.push(cards.leave);
  const usdc = createUsdc({ ...paying, direct, cardOf: cards.cardOf, bought: cards.giveWay }, rails);
  return { cards, usdc, billing: { ...paying, ways: [cards.way, usdc.way], cardOf: cards.cardOf } };
}
