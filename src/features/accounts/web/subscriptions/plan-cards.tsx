import { Check, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { capabilitiesOf } from './capabilities.ts';
import { endNote, periodEnd, STATUS_WORDS } from './plan-words.ts';
import { Fact } from './profile-facts.tsx';

type Props = {
  subscription: Subscription;
  /** What can be done about the plan. */
  children?: ReactNode;
};

const TONES: Record<Subscription['status'], Tone> = {
  active: 'up',
  cancelled: 'warn',
  grace: 'warn',
  expired: 'down',
  none: 'plain',
};

export function PlanCard({ subscription, children }: Props) {
  const note = endNote(subscription);
  return (
    <Card id="plan" title="Your Plan">
      <div className="grid gap-3 px-4 pt-1 pb-4">
        {note && <p className="rounded-ctl bg-warn/10 px-3 py-2 text-sm font-medium text-warn">{note}</p>}
        <dl className="text-sm">
          <Fact name="Plan">
            <span className="text-xl font-semibold tracking-[-0.02em]">{subscription.planName}</span>
          </Fact>
          <Fact name="Status">
            <Badge tone={TONES[subscription.status]}>{STATUS_WORDS[subscription.status]}</Badge>
          </Fact>
          <Fact name="Current period ends">
            <span className="num font-medium">{periodEnd(subscription)}</span>
          </Fact>
        </dl>

        <div className="flex flex-wrap gap-2">
          {children}
          <Link to="/app/subscription" className={cx(SECONDARY, 'max-sm:w-full')}>
            See Plans and Prices
          </Link>
        </div>
      </div>
    </Card>
  );
}

type LimitsProps = Pick<Props, 'subscription'> & {
  /** Undefined while they are not known. */
  limits: PaidLimits | undefined;
};

export function LimitsCard({ subscription: { plan, planName }, limits }: LimitsProps) {
  return (
    <Card id="limits" title={`What ${planName} Includes`}>
      <dl className="px-4 pb-2 text-sm">
        {capabilitiesOf(plan, limits).map(({ name, value, included }) => {
          const Icon = included ? Check : Lock;
          return (
            <div
              key={name}
              className="flex min-h-10 items-center justify-between gap-4 border-t border-line py-1.5 first:border-t-0"
            >
              <dt className="flex items-center gap-2.5">
                <Icon className={cx('size-3.5 shrink-0', included ? 'text-up' : 'text-ink-3')} aria-hidden="true" />
                <span>{name}</span>
              </dt>
              <dd className={cx('num text-right', included ? 'font-medium' : 'text-ink-3')}>{value}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
