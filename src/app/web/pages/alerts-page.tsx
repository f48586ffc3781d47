import { Alerts } from '#features/alerts/web/alerts/alerts.tsx';
import { Page } from '#ui/page.tsx';

import { LockedPage } from './locked-page.tsx';

export function AlertsPage() {
  return (
    <LockedPage page="alerts">
      <Open />
    </LockedPage>
  );
}

function Open() {
  return (
    <Page
      title="Market Alerts"
      lead="Alerts from the market and your own rules. Select a time to see how the alert reached you."
      link={['Notification settings', '/app/profile?tab=notifications']}
    >
      <Alerts />
    </Page>
  );
}
