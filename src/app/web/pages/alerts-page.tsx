import { Alerts } from '#features/alerts/web/alerts/alerts.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

export function AlertsPage() {
  return (
    <LockedPage page="alerts">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useTitle('Market Alerts');
  useArrival();
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Market Alerts</h1>
        <Link to="/app/profile?tab=notifications" className={`${TEXT_LINK} inline-flex min-h-9 items-center text-sm`}>
          Notification settings
        </Link>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Alerts from the market and your own rules. Select a time to see how the alert reached you.
      </p>
      <Alerts />
    </div>
  );
}
