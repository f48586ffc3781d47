import type { CardOf, Way } from '#features/billing/server/service.ts';

import type { CardsContext } from './context.ts';

export type Cards = { ctx: CardsContext; way: Way; cardOf: CardOf };

/** Payment by card, of one process. */
export function createCards(ctx: CardsContext): Cards {
  return {
    ctx,
    way: { methods: () => ({}), entriesOf: async () => [], findReceipt: async () => undefined },
    cardOf: async () => null,
  };
}
