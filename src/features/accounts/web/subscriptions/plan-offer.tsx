import type { ReactNode } from 'react';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { cx } from '#ui/cx.ts';
import { FeatureList } from './feature-list.tsx';
import { planFeatures } from './plan-features.ts';

type Props = {
  plan: Plan;
  current: boolean;
  /** Undefined until known. */
  limits: PaidLimits | undefined;
  price: ReactNode;
  action: ReactNode;
};

export function PlanOffer({ plan, current, limits, price, action }: Props) {
  const { about, ...features } = planFeatures(limits)[plan];
  const id = `plan-${plan}`;
  return (
    <section aria-labelledby={id} className={cx('card flex flex-col p-5', current && 'border-accent!')}>
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h2 id={id} className="text-lg font-semibold tracking-[-0.01em]">
          {PLAN_NAMES[plan]}
        </h2>
        {current && <span className="text-xs font-medium text-accent">Your current plan</span>}
      </div>
      {price || <p className="mt-2 flex min-h-10 items-baseline text-sm text-ink-3">Not for sale</p>}
      <p className="mt-1 text-sm text-ink-2 lg:min-h-10">{about}</p>
      <div className="mt-4 grid min-h-10 content-start gap-2">{action}</div>
      <div className="mt-5 border-t border-line pt-4">
        <FeatureList {...features} />
      </div>
    </section>
  );
}
