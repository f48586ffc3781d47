import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Billing, PaidPlan, Pricing } from '#features/payments/contract/billing.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';

export type Method = keyof Pricing['methods'];

export const METHODS: readonly { id: Method; name: string; about: string }[] = [
  { id: 'card', name: 'Card', about: 'Secure checkout by Stripe. Renews automatically until canceled.' },
  { id: 'base', name: 'USDC on Base', about: 'From any wallet or exchange. Does not renew automatically.' },
  { id: 'solana', name: 'USDC on Solana', about: 'From any wallet or exchange. Does not renew automatically.' },
];

/**
 * While a card renews, USDC would pay twice; a declined card is to be updated rather than paying for the same plan
 * again.
 */
export function methodsBeside(card: Billing['card'], methods: Pricing['methods'], plan: PaidPlan): Pricing['methods'] {
  if (!card || card.cancelled) return methods;
  if (card.pastDue) {
    if (card.plan !== plan) return methods;
    const why = `Your card was declined for ${PLAN_NAMES[plan]}. Update it under Manage Subscription in your profile.`;
    return { ...methods, card: methods.card ?? why };
  }
  const why = `Your card renews ${PLAN_NAMES[card.plan]}. To pay in USDC without paying twice, choose Cancel Subscription in your profile first.`;
  return { card: methods.card, base: methods.base ?? why, solana: methods.solana ?? why };
}

/** Available payment methods, and why the others are unavailable. */
export function PaymentMethods({ methods }: { methods: Pricing['methods'] }) {
  return (
    <Card id="payment-methods" title="Payment Methods">
      <ul className="grid gap-x-6 px-4 pb-2 text-sm md:grid-cols-3">
        {METHODS.map(({ id, name, about }) => (
          <li key={id} className="flex min-h-11 items-center justify-between gap-4 border-t border-line py-2">
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-ink-3">{methods[id] ?? about}</span>
            </span>
            {methods[id] === null ? <Badge tone="up">Available</Badge> : <Badge>Not available</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
