import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { PaidPlan } from '#features/accounts/web/subscriptions/upsells.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Tag } from '#ui/tag.tsx';

import { PlanPrice } from '../shell/plan-price.tsx';

type Props = { id: string; title: string; access: PaidPlan; holds: readonly string[]; children: ReactNode };

/** An offer shown in place of a plan's feature. */
export function OfferCard({ id, title, access, holds, children }: Props) {
  const name = PLAN_NAMES[access];
  return (
    <Card id={id} title={title} note={<Tag>{name}</Tag>}>
      <div className="flex flex-wrap items-center justify-between gap-4 px-4 pb-4">
        <div className="min-w-0">
          <p className="text-sm text-ink-2">{children}</p>
          <ul className="mt-2 grid gap-1">
            {holds.map((each) => (
              <li key={each} className="flex items-center gap-2.5 text-sm">
                <Check className="size-4 shrink-0 text-accent" aria-hidden="true" />
                {each}
              </li>
            ))}
          </ul>
        </div>
        <div className="max-sm:w-full">
          <ButtonLink to="/app/subscription" className="h-10 w-full px-4">
            Upgrade to {name}
          </ButtonLink>
          <p className="label num mt-2 text-center">
            <PlanPrice plan={access} />
          </p>
        </div>
      </div>
    </Card>
  );
}
