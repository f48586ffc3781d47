import type { Pricing } from '#features/payments/contract/billing.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { METHODS } from './methods.ts';

/** By what one can pay here, and why not by the others. */
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
