import { Check } from 'lucide-react';

import { ALERT_KINDS } from '#features/accounts/web/subscriptions/upsells.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame, type CardPlace } from '#ui/card-frame.tsx';
import { Empty } from '#ui/states.tsx';
import { Tag } from '#ui/tag.tsx';

import { PlanPrice } from '../shell/plan-price.tsx';

/** Shown on plans without alerts; two lines on a phone. */
export function AlertsOffer(card: CardPlace) {
  return (
    <Card {...card} note={<Tag>Pro</Tag>}>
      <div className="flex flex-1 gap-x-3 px-4 pb-4 max-sm:items-center sm:flex-col">
        <p className="text-sm text-ink-2">
          <span className="max-sm:hidden">Pro alerts you to:</span>
          <span className="sm:hidden">Market moves, flows, inflation surprises and high-impact events.</span>
        </p>
        <ul className="mt-1 grid max-h-120 flex-1 gap-x-6 gap-y-1 max-sm:hidden sm:max-lg:grid-cols-2">
          {ALERT_KINDS.map((kind) => (
            <li key={kind} className="flex items-center gap-2.5 text-sm">
              <Check className="size-4 shrink-0 text-accent" aria-hidden="true" />
              {kind}
            </li>
          ))}
        </ul>
        <div className="max-sm:ml-auto sm:pt-3">
          <ButtonLink to="/app/subscription" className="flex h-10 max-sm:px-3 sm:w-full">
            Upgrade to Pro
          </ButtonLink>
          <p className="label num mt-2 text-center max-sm:hidden">
            <PlanPrice plan="pro" />
          </p>
        </div>
      </div>
    </Card>
  );
}

/** Past alerts have their own page; this card shows the market at one moment. */
export function EarlierAlerts(card: CardPlace) {
  return (
    <CardFrame {...card}>
      <div className="flex flex-1 flex-col pb-8 text-center">
        <Empty title="Alerts are live only" note="Past alerts are in the full list." />
        <ButtonLink kind="outline" to="/app/alerts" className="mx-auto h-10 px-3">
          View all alerts
        </ButtonLink>
      </div>
    </CardFrame>
  );
}
