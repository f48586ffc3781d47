import { Alerts } from '#features/alerts/web/alerts.tsx';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

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
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Market Alerts</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        What the market and your own rules raised. Each alert is raised once and says how it came here: press its time.
      </p>
      <Alerts />
    </div>
  );
}
