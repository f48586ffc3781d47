import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { Events } from '#features/events/web/events.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

export function EventsPage() {
  useTitle('Upcoming Impactful Events');
  useArrival();
  const admin = planOf(useAccount()) === 'admin';
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Upcoming Impactful Events</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Market-moving events in your time zone, each with its source. Estimated dates are marked.
      </p>
      <Events admin={admin} />
    </div>
  );
}
