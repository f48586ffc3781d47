import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useSyncExternalStore } from 'react';
import { DemoMails } from '#features/notifications/web/email/demo-mails.tsx';
import { LockScreen } from '#features/notifications/web/push/lock-screen.tsx';
import { DemoChat } from '#features/notifications/web/telegram/demo-chat.tsx';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useTitle } from '#ui/use-title.ts';

import { NotFoundPage } from './not-found-page.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

type Pane = { id: string; name: string; Pane: ComponentType<PaneProps> };
/** `isOn`: push, as the account has chosen. */
type PaneProps = { className: string; isOn: boolean };

const PANES: readonly [Pane, ...Pane[]] = [
  { id: 'mail', name: 'Mail', Pane: DemoMails },
  { id: 'notifications', name: 'Notifications', Pane: LockScreen },
  { id: 'chat', name: 'Telegram', Pane: DemoChat },
];

const PANE = 'h-[60vh] min-h-[32rem] overflow-hidden';
const WIDE_PANE = 'h-[60vh] min-h-[42rem] overflow-hidden';
const WIDE = '(min-width: 80rem)';

function onWidth(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Demo mode only: what would have reached a person, and what they can answer. */
export function PhonePage() {
  const query = useQuery(dashboardQuery);
  return (
    <QueryView
      query={query}
      card={{ id: 'phone', title: 'Your phone (demo)', className: 'min-h-96' }}
      failed="Failed to load this page"
    >
      {({ dataMode }) => (dataMode === 'demo' ? <Demo /> : <NotFoundPage />)}
    </QueryView>
  );
}

function Demo() {
  useTitle('Your phone (demo)');
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Your phone (demo)</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        What you would receive. In demo mode, email, notifications and Telegram are simulated and never leave this
        machine. Webhooks do call the URLs you enter.
      </p>
      <SignedIn feature="Your phone" failed="Failed to load your account">
        {({ notifications }) => <Panes isPushOn={notifications.push} />}
      </SignedIn>
    </div>
  );
}

function Panes({ isPushOn }: { isPushOn: boolean }) {
  const [asked, setTab] = useAddress('tab');
  const isWide = useSyncExternalStore(
    onWidth,
    () => matchMedia(WIDE).matches,
    () => false,
  );
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
