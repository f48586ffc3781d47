import { useTitle } from '#web/ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

export function AdvancedAnalyticsPage() {
  return (
    <LockedPage page="advanced-analytics">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useTitle('Advanced Analytics');
  return <h1 className="p-6 text-xl font-semibold">Advanced Analytics</h1>;
}
