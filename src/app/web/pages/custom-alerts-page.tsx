import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Market } from '#features/alerts/web/thresholds/templates.ts';
import { Thresholds } from '#features/alerts/web/thresholds/thresholds.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

/** Where the market is now: what a new rule begins with. */
function marketOf(data: Dashboard | undefined): Market {
  const metrics = data?.advancedMetrics;
  return {
    coins: (data?.cryptoPrices ?? []).map(({ id, symbol, name, price }) => ({ id, symbol, name, price })),
    now: {
      ssr: metrics?.stablecoinMetrics.ssr ?? null,
      btc_dominance: metrics?.bitcoinDominance.value ?? null,
      volume_24h: data?.totals.volume_24h ?? null,
    },
  };
}

export function CustomAlertsPage() {
  return (
    <LockedPage page="custom-alerts">
      <OwnAlerts />
    </LockedPage>
  );
}

function OwnAlerts() {
  useTitle('Custom Alert Thresholds');
  useArrival();
  const { data } = useQuery(dashboardQuery);
  const plan = planOf(useAccount()) ?? 'free';
  const market = useMemo(() => marketOf(data), [data]);
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Custom Alert Thresholds</h1>
        <Link to="/app/profile?tab=notifications" className={`${TEXT_LINK} inline-flex min-h-9 items-center text-sm`}>
          Notification settings
        </Link>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Create alerts on any dashboard metric. Each rule is backtested on the last 90 days before you save it.
      </p>
      <Thresholds market={market} limit={{ rules: PLAN_LIMITS[plan].alertRules, plan: PLAN_NAMES[plan] }} />
    </div>
  );
}
