import { useQuery } from '@tanstack/react-query';

import { MailTab } from '#features/admin/web/mail-tab.tsx';
import { UsersTab } from '#features/admin/web/users-tab.tsx';
import { ProofHost } from '#features/auth/web/security/proof-host.tsx';
import { PaymentsTab } from '#features/books/web/payments-tab.tsx';
import { MessagesTab } from '#features/contact/web/messages-tab.tsx';
import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { EventsTab } from '#features/events/web/events-tab.tsx';
import { FailedTab } from '#features/notifications/web/failed-tab.tsx';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { useTitle } from '#web/ui/use-title.ts';

import { Forbidden } from './forbidden.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

const TABS = [
  { id: 'events', name: 'Events Management' },
  { id: 'users', name: 'User Management' },
  { id: 'payments', name: 'Payments' },
  { id: 'messages', name: 'Messages' },
  { id: 'mail', name: 'Mail' },
  { id: 'deliveries', name: 'Failed deliveries' },
] as const;

const isAdmin = (subscription: Subscription) => planOf({ state: 'known', subscription }) === 'admin';

export function AdminPage() {
  useTitle('Admin Dashboard');
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <SignedIn feature="Admin Dashboard" failed="Failed to load admin data">
        {(subscription) => (isAdmin(subscription) ? <Dashboard /> : <Forbidden />)}
      </SignedIn>
      <ProofHost />
    </div>
  );
}

function Dashboard() {
  const [asked, setTab] = useAddress('tab');
  const { data } = useQuery(dashboardQuery);
  const tab = TABS.find(({ id }) => id === asked)?.id ?? 'users';
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold tracking-[-0.02em]">Admin Dashboard</h1>
      <Tabs label="Admin Dashboard" tabs={TABS} value={tab} onChange={setTab}>
        {tab === 'events' && <EventsTab />}
        {tab === 'users' && <UsersTab />}
        {tab === 'payments' && <PaymentsTab />}
        {tab === 'messages' && <MessagesTab />}
        {tab === 'mail' && <MailTab dataMode={data?.dataMode} />}
        {tab === 'deliveries' && <FailedTab />}
      </Tabs>
    </>
  );
}
