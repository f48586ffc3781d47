import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { DemoMails } from '#features/notifications/web/email/demo-mails.tsx';
import { LockScreen } from '#features/notifications/web/push/lock-screen.tsx';
import { DemoChat } from '#features/notifications/web/telegram/demo-chat.tsx';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { Page } from '#ui/page.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useMedia } from '#ui/use-browser.ts';

import { NotFoundPage } from './not-found-page.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

type Pane = { id: string; name: string; Pane: ComponentType<PaneProps> };
/** `isOn`: whether the account has push enabled. */
type PaneProps = { className: string; isOn: boolean };

const PANES: readonly [Pane, ...Pane[]] = [
  { id: 'mail', name: 'Mail', Pane: DemoMails },
  { id: 'notifications', name: 'Notifications', Pane: LockScreen },
  { id: 'chat', name: 'Telegram', Pane: DemoChat },
];

const PANE = 'h-[60vh] min-h-[32rem] overflow-hidden';
const WIDE_PANE = 'h-[60vh] min-h-[42rem] overflow-hidden';
const WIDE = '(min-width: 80rem)';

/** Demo mode only: the messages a user would have received, and the replies available. */
export function PhonePage() {
  const query = useQuery(dashboardQuery);
  return (
    <QueryView
      query={query}
      card={{ id: 'phone', title: 'Your Phone (Demo)', className: 'min-h-96' }}
      failed="Failed to load this page"
    >
      {({ dataMode }) => (dataMode === 'demo' ? <Demo /> : <NotFoundPage />)}
    </QueryView>
  );
}

function Demo() {
  return (
    <Page
      title="Your Phone (Demo)"
      lead="What you would receive. In demo mode, email, notifications and Telegram are simulated and never leave this machine. Webhooks do call the URLs you enter."
    >
      <SignedIn feature="Your phone" failed="Failed to load your account">
        {({ notifications }) => <Panes isPushOn={notifications.push} />}
      </SignedIn>
    </Page>
  );
}

function Panes({ isPushOn }: { isPushOn: boolean }) {
  const [asked, setTab] = useAddress('tab');
  const isWide = useMedia(WIDE);
  if (isWide)
    return (
      <div className="grid gap-3 xl:grid-cols-3">
        {PANES.map(({ id, Pane }) => (
          <Pane key={id} className={WIDE_PANE} isOn={isPushOn} />
        ))}
      </div>
    );
  const { id, Pane } = PANES.find((pane) => pane.id === asked) ?? PANES[0];
  return (
    <Tabs label="Your phone" tabs={PANES} value={id} onChange={setTab}>
      <Pane className={PANE} isOn={isPushOn} />
    </Tabs>
  );
}
