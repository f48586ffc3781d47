import type { CardOf, Way } from '#features/billing/server/service.ts';

import { type CardsContext, type CardsDeps, closedReason, stripeOf } from './context.ts';
import { tidy, tidyLater } from './service/tidy.ts';
import { entriesOf, findReceipt, standingOf } from './service/way.ts';

export type Cards = {
  ctx: CardsContext;
  way: Way;
  cardOf: CardOf;
  /** Ends what is charged to the card of somebody whose account is gone. */
  leave: (userId: number) => Promise<void>;
  /** Stops what would be charged beside a plan that was paid for otherwise. Never fails: the job tries again. */
  giveWay: (userId: number) => Promise<void>;
};

/** Payment by card, of one process. */
export function createCards(deps: CardsDeps): Cards {
  const ctx: CardsContext = { ...deps, stripe: stripeOf(deps.config) };
  return {
    ctx,
    way: {
      methods: () => ({ card: closedReason(ctx.config) }),
      entriesOf: (userId) => entriesOf(ctx, userId),
      findReceipt: (userId, id) => findReceipt(ctx, userId, id),
    },
    cardOf: (userId) => standingOf(ctx, userId),
    leave: (userId) => tidy(ctx, userId),
    giveWay: (userId) => tidyLater(ctx, userId),
  };
}
