import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { Events } from '#features/events/web/events.tsx';
import { Page } from '#ui/page.tsx';

export function EventsPage() {
  const admin = accountPlan(useAccount()) === 'admin';
  return (
    <Page
      title="Upcoming Impactful Events"
      lead="Market-moving events in your time zone, each with its source. Estimated dates are marked."
    >
      <Events admin={admin} />
    </Page>
  );
}
