import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { ProofHost } from '#features/accounts/web/auth/security/proof-host.tsx';
import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import type { DataMode } from '#shared/provenance.ts';
import { CardFrame } from '#ui/card-frame.tsx';
import { part } from '#ui/part.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useTitle } from '#ui/use-title.ts';

import { Forbidden } from './forbidden.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

type TabProps = { dataMode: DataMode | undefined };

const tab = (id: string, name: string, load: () => Promise<ComponentType<TabProps>>) => ({
  id,
  name,
  Tab: part<TabProps>({
    name: `The tab ${name}`,
    load,
    loading: <CardFrame id={id} title={name} className="min-h-96" />,
    frame: (state) => (
      <CardFrame id={id} title={name} className="min-h-96">
        {state}
      </CardFrame>
    ),
  }),
});

/** The six of the specification first, then what keeps the product running. */
const TABS = [
  tab(
    'collections',
    'Database Collections',
    async () => (await import('#features/operations/web/collections/collections-tab.tsx')).CollectionsTab,
  ),
  tab(
    'ai',
    'AI Analysis',
    async () => (await import('#features/operations/web/collections/analyses-tab.tsx')).AnalysesTab,
  ),
  tab(
    'overview',
    'Overview',
    async () => (await import('#features/operations/web/collections/overview-tab.tsx')).OverviewTab,
  ),
  tab('events', 'Events Management', async () => (await import('#features/events/web/events-tab.tsx')).EventsTab),
  tab('users', 'User Management', async () => (await import('#features/operations/web/admin/users-tab.tsx')).UsersTab),
  tab(
    'telegram',
    'Telegram Bot',
    async () => (await import('#features/notifications/web/telegram/bot-tab.tsx')).BotTab,
  ),
  tab('sources', 'Sources', async () => (await import('#features/operations/web/sources/sources-tab.tsx')).SourcesTab),
  tab('jobs', 'Jobs', async () => (await import('#features/operations/web/jobs/jobs-tab.tsx')).JobsTab),
  tab('payments', 'Payments', async () => (await import('#features/payments/web/books/payments-tab.tsx')).PaymentsTab),
  tab('messages', 'Messages', async () => (await import('#features/contact/web/messages-tab.tsx')).MessagesTab),
  tab('mail', 'Mail', async () => (await import('#features/operations/web/admin/mail-tab.tsx')).MailTab),
  tab(
    'deliveries',
    'Failed deliveries',
    async () => (await import('#features/notifications/web/notifications/failed-tab.tsx')).FailedTab,
  ),
  tab('status', 'Status page', async () => (await import('#features/site/web/status/incidents-tab.tsx')).IncidentsTab),
  tab('audit', 'Audit log', async () => (await import('#features/operations/web/admin/audit-tab.tsx')).AuditTab),
  tab(
    'settings',
    'Settings',
    async () => (await import('#features/operations/web/settings/settings-tab.tsx')).SettingsTab,
  ),
];
const FIRST = 'overview';

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
  const chosen = TABS.find(({ id }) => id === asked) ?? TABS.find(({ id }) => id === FIRST);
  if (!chosen) return null;
  const { id, Tab } = chosen;
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold tracking-[-0.02em]">Admin Dashboard</h1>
      <Tabs label="Admin Dashboard" tabs={TABS} value={id} onChange={setTab} wraps>
        <Tab dataMode={data?.dataMode} />
      </Tabs>
    </>
  );
}
