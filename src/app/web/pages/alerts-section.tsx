import { useQueryClient } from '@tanstack/react-query';

import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { CardFrame, type CardPlace, lateCard } from '#ui/card-frame.tsx';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { part } from '#ui/part.tsx';
import { ErrorState } from '#ui/states.tsx';

/**
 * Alerts and their offer share one height: next to the analysis its height, else that of the fullest collapsed card; on
 * a phone the offer is short.
 */
const ALERTS: CardPlace = {
  id: 'market-alerts',
  title: 'Market Alerts',
  className: 'sm:min-h-[27rem] max-sm:signed-in:min-h-[27rem] min-[88rem]:[contain:size]',
};

const LATE = lateCard(ALERTS);
const Alerts = part<CardPlace>({
  ...LATE,
  load: async () => (await import('#features/alerts/web/alerts/alerts-card.tsx')).AlertsCard,
});
const Upsell = part<CardPlace>({ ...LATE, load: async () => (await import('./alerts-offer.tsx')).AlertsOffer });
const Earlier = part<CardPlace>({ ...LATE, load: async () => (await import('./alerts-offer.tsx')).EarlierAlerts });

/** Market Alerts for plans that include them, else their description. */
export function AlertsSection({ past = false }: { past?: boolean }) {
  return (
    <ErrorBoundary name={ALERTS.title} className={ALERTS.className}>
      <Place past={past} />
    </ErrorBoundary>
  );
}

function Place({ past }: { past: boolean }) {
  const account = useAccount();
  const queries = useQueryClient();
  if (account.state === 'unknown')
    return (
      <CardFrame {...ALERTS}>
        {account.failed ? (
          <ErrorState
            message="Failed to check authentication status. Please try again."
            onRetry={() => void queries.invalidateQueries({ queryKey: ['subscription'] })}
          />
        ) : undefined}
      </CardFrame>
    );
  if (!includesPlan(accountPlan(account), 'pro')) return <Upsell {...ALERTS} />;
  return past ? <Earlier {...ALERTS} /> : <Alerts {...ALERTS} />;
}
