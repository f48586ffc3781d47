import type { CardStanding } from '#features/billing/server/service.ts';
import type { Standing } from '#features/subscriptions/server/service.ts';

/** What the card renews by itself needs nobody; what was cancelled runs on to its end. */
export function withCard(standing: Standing, card: CardStanding | null): Standing {
  if (card?.plan !== standing.plan) return standing;
  if (card.cancelled) return standing.status === 'active' ? { ...standing, status: 'cancelled' } : standing;
  return card.pastDue ? standing : { ...standing, needsRenewal: false };
}
