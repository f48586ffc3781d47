import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Market } from '#features/alerts/web/thresholds/templates.ts';
import { Thresholds } from '#features/alerts/web/thresholds/thresholds.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { Page } from '#ui/page.tsx';

import { LockedPage } from './locked-page.tsx';
import { useAddress } from './use-address.ts';

/** Current market values, the defaults of a new rule. */
function toMarket(data: Dashboard | undefined): Market {
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
  const { data } = useQuery(dashboardQuery);
  const [id] = useAddress('coin');
  const coin = data?.cryptoPrices.find((row) => row.id === id);
  return (
    <LockedPage
      page="custom-alerts"
      title="Custom Alert Thresholds"
      about={coin && `Your own rules on ${coin.name} and any dashboard metric, with an alert when one is met.`}
    >
      <OwnAlerts />
    </LockedPage>
  );
}

function OwnAlerts() {
  const { data } = useQuery(dashboardQuery);
  const plan = accountPlan(useAccount()) ?? 'free';
  const [coin, setCoin] = useAddress('coin', true);
  const market = useMemo(() => toMarket(data), [data]);
  return (
    <Page
      title="Custom Alert Thresholds"
      lead="Create alerts on any dashboard metric. Each rule is backtested on the last 90 days before you save it."
      link={['Notification settings', '/app/profile?tab=notifications']}
    >
      <Thresholds
        market={market}
        limit={{ rules: PLAN_LIMITS[plan].alertRules, plan: PLAN_NAMES[plan] }}
        coin={coin}
        onCoinAdded={() => setCoin(null)}
      />
    </Page>
  );
}
