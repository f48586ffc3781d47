import type { Dashboard } from '#features/dashboard/contract.ts';
import { MomentButton } from '#features/dashboard/web/moment-button.tsx';
import type { MomentProps } from '#features/dashboard/web/moment-controls.tsx';
import type { PricesData } from '#features/market/web/prices-card.tsx';
import { planOf } from '#features/subscriptions/web/access.ts';
import { useAccount } from '#features/subscriptions/web/use-subscription.ts';
import { age } from '#shared/format.ts';
import { useNow } from '#web/ui/now.ts';

import { PlanBadge } from './plan-badge.tsx';

export const pricesOf = ({ cryptoPrices, totals, sources, timestamp }: Dashboard): PricesData => ({
  rows: cryptoPrices,
  totals,
  sources,
  collection: timestamp,
});

type Props = Omit<MomentProps, 'plan'> & { label?: string; data: Dashboard | undefined };

export function DashboardHead({ data, ...moment }: Props) {
  const account = useAccount();
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1.5 sm:gap-x-3">
      <h1 className="text-xl font-semibold tracking-[-0.02em] whitespace-nowrap">Market Dashboard</h1>
      <div className="order-2 flex min-h-8 items-center gap-x-3 max-sm:w-full max-sm:justify-between sm:order-1">
        {data?.lastCollectionTime && <Collected at={Date.parse(data.lastCollectionTime)} />}
        <MomentButton {...moment} plan={planOf(account)} />
      </div>
      <PlanBadge account={account} />
    </div>
  );
}

function Collected({ at }: { at: number }) {
  const now = useNow();
  // What stands beside it keeps its place while the age grows. Not in ch: the digits of the typeface are wider than those of its fallback.
  return (
    <p className="label num">
      Collected <span className="inline-block min-w-[5.4em]">{age(now - at)}</span>
    </p>
  );
}
