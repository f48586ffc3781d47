import { Check, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  PLAN_LIMITS,
  PLAN_NAMES,
  type PlanLimits,
  type Subscription,
} from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import { type DayLimits, type PaidLimits, perDay } from '#shared/day-limits.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { endNote, periodEnd, STATUS_WORDS } from './plan-labels.ts';
import { Fact } from './profile-facts.tsx';

type Capability = {
  name: string;
  value: string;
  included: boolean;
};

type Flag = { [K in keyof PlanLimits]: PlanLimits[K] extends boolean ? K : never }[keyof PlanLimits];

const FLAGS: readonly (readonly [flag: Flag, name: string])[] = [
  ['alerts', 'Market alerts and notifications'],
  ['customAlerts', 'Custom alerts'],
  ['dataExport', 'Data export'],
  ['apiKeys', 'API keys'],
  ['advancedAnalytics', 'Advanced analytics'],
  ['advancedExport', 'Advanced export'],
  ['webhooks', 'Webhooks'],
];
const RISING: readonly Plan[] = ['free', 'pro', 'premium'];

/** The lowest plan that allows it. */
const from = (allows: (limits: PlanLimits) => boolean): string => {
  const lowest = RISING.find((plan) => allows(PLAN_LIMITS[plan]));
  return lowest ? `From ${PLAN_NAMES[lowest]}` : 'Not included';
};

const DAILY = { exportsPerDay: ['Exports', 'export'], apiCallsPerDay: ['API calls', 'API call'] } as const;

function daily(plan: Plan, limit: keyof DayLimits, limits: PaidLimits | undefined): Capability {
  const [name, unit] = DAILY[limit];
  if (plan === 'free') return { name, value: `From ${PLAN_NAMES.pro}`, included: false };
  const count = plan === 'admin' ? null : limits?.[plan][limit];
  if (count === undefined) return { name, value: 'Included', included: true };
  return { name, value: count === null ? 'Unlimited' : perDay(count, unit), included: true };
}

/** Capabilities of a plan, from the central table; daily limits of this installation once known. */
export function listCapabilities(plan: Plan, limits: PaidLimits | undefined): Capability[] {
  const { historyDays, alertRules } = PLAN_LIMITS[plan];
  return [
    {
      name: 'History',
      value: historyDays === null ? 'Full history' : `The last ${historyDays} days`,
      included: true,
    },
    ...FLAGS.map(([flag, name]) => {
      const included = PLAN_LIMITS[plan][flag];
      return { name, value: included ? 'Included' : from((limits) => limits[flag]), included };
    }),
    {
      name: 'Custom alert rules',
      value: alertRules > 0 ? `Up to ${alertRules}` : from((limits) => limits.alertRules > 0),
      included: alertRules > 0,
    },
    daily(plan, 'exportsPerDay', limits),
    daily(plan, 'apiCallsPerDay', limits),
  ];
}

type Props = {
  subscription: Subscription;
  /** Actions for the plan. */
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
  /** Undefined until known. */
  limits: PaidLimits | undefined;
};

export function LimitsCard({ subscription: { plan, planName }, limits }: LimitsProps) {
  return (
    <Card id="limits" title={`What ${planName} Includes`}>
      <dl className="px-4 pb-2 text-sm">
        {listCapabilities(plan, limits).map(({ name, value, included }) => {
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
