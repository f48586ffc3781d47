import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { ProofHost } from '#features/accounts/web/auth/security/proof-host.tsx';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import { loadsQuery } from '#features/operations/web/admin/queries.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import type { DataMode } from '#shared/provenance.ts';
import { CardFrame } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';
import { Select } from '#ui/select.tsx';
import { useToken } from '#ui/session.ts';
import { ErrorState } from '#ui/states.tsx';

import { Forbidden } from './forbidden.tsx';
import { SignedIn } from './signed-in.tsx';
import { useAddress } from './use-address.ts';

type TabProps = { dataMode: DataMode | undefined };

const tab = (id: string, name: string, load: () => Promise<ComponentType<TabProps>>) => ({
  id,
  name,
  Tab: part<TabProps>({
    name,
    load,
    loading: <CardFrame id={id} title={name} className="min-h-96" />,
    frame: (state) => (
      <CardFrame id={id} title={name} className="min-h-96">
        {state}
      </CardFrame>
    ),
  }),
});

/** The list next to the tab; the overview opens it. */
const GROUPS: readonly (readonly [group: string, tabs: readonly ReturnType<typeof tab>[]])[] = [
  [
    'Overview',
    [
      tab(
        'overview',
        'Overview',
        async () => (await import('#features/operations/web/collections/overview-tab.tsx')).OverviewTab,
      ),
    ],
  ],
  [
    'Data',
    [
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
      tab('events', 'Events Management', async () => (await import('#features/events/web/events-tab.tsx')).EventsTab),
      tab(
        'sources',
        'Sources',
        async () => (await import('#features/operations/web/sources/sources-tab.tsx')).SourcesTab,
      ),
    ],
  ],
  [
    'People',
    [
      tab(
        'users',
        'User Management',
        async () => (await import('#features/operations/web/admin/users-tab.tsx')).UsersTab,
      ),
      tab('messages', 'Messages', async () => (await import('#features/contact/web/messages-tab.tsx')).MessagesTab),
    ],
  ],
  [
    'Money',
    [
      tab(
        'payments',
        'Payments',
        async () => (await import('#features/payments/web/books/payments-tab.tsx')).PaymentsTab,
      ),
    ],
  ],
  [
    'Delivery',
    [
      tab(
        'telegram',
        'Telegram Bot',
        async () => (await import('#features/notifications/web/telegram/bot-tab.tsx')).BotTab,
      ),
      tab('mail', 'Email', async () => (await import('#features/operations/web/admin/mail-tab.tsx')).MailTab),
      tab(
        'deliveries',
        'Failed Deliveries',
        async () => (await import('#features/notifications/web/notifications/failed-tab.tsx')).FailedTab,
      ),
    ],
  ],
  [
    'System',
    [
      tab('jobs', 'Jobs', async () => (await import('#features/operations/web/jobs/jobs-tab.tsx')).JobsTab),
      tab(
        'status',
        'Status Page',
        async () => (await import('#features/site/web/status/incidents-tab.tsx')).IncidentsTab,
      ),
      tab('audit', 'Audit Log', async () => (await import('#features/operations/web/admin/audit-tab.tsx')).AuditTab),
      tab(
        'settings',
        'Settings',
        async () => (await import('#features/operations/web/settings/settings-tab.tsx')).SettingsTab,
      ),
    ],
  ],
];
const TABS = GROUPS.flatMap(([, tabs]) => tabs);
const FIRST = 'overview';
const FAILED = 'Failed to load admin data';

export function AdminPage() {
  const account = useHydratedAccount();
  if (account.state === 'known' && accountPlan(account) !== 'admin') return <Forbidden />;
  return (
    <Page title="Admin Dashboard">
      <SignedIn feature="Admin Dashboard" failed={FAILED}>
        {() => <Dashboard />}
      </SignedIn>
      <ProofHost />
    </Page>
  );
}

function Dashboard() {
  const [asked] = useAddress('tab');
  const navigate = useNavigate();
  const { data } = useQuery(dashboardQuery);
  const chosen = TABS.find(({ id }) => id === asked) ?? TABS.find(({ id }) => id === FIRST);
  if (!chosen) return null;
  const { id, Tab } = chosen;
  return (
    <>
      <div className="mt-3 grid items-start gap-x-6 gap-y-4 xl:grid-cols-[11rem_minmax(0,1fr)]">
        <TabList chosen={id} />
        <TabSelect chosen={id} onChoose={(tab) => void navigate(`?tab=${tab}`)} />
        <div className="min-w-0">
          <FailedLoads open={id} />
          <Tab dataMode={data?.dataMode} />
        </div>
      </div>
    </>
  );
}

function FailedLoads({ open }: { open: string }) {
  const { isError, error, refetch } = useQuery(loadsQuery(useQueryClient(), useToken(), open));
  return (
    isError && (
      <div className="card mb-3 grid">
        <ErrorState message={FAILED} detail={error.message} onRetry={() => void refetch()} />
      </div>
    )
  );
}

function TabList({ chosen }: { chosen: string }) {
  return (
    <nav aria-label="Admin Dashboard" className="grid gap-3 max-xl:hidden xl:sticky xl:top-18">
      {GROUPS.map(([group, tabs]) => (
        <div key={group}>
          {group !== 'Overview' && <p className="label px-2.5 pb-1">{group}</p>}
          <ul>
            {tabs.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to={`/app/admin?tab=${id}`}
                  aria-current={id === chosen ? 'page' : undefined}
                  className={cx(
                    'flex min-h-8 items-center rounded-ctl px-2.5 text-sm hover:bg-raised',
                    id === chosen ? 'bg-raised font-semibold text-ink' : 'text-ink-2',
                  )}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const TabSelect = ({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) => (
  <Select size="form" aria-label="Section" value={chosen} onText={onChoose} className="xl:hidden">
    {GROUPS.map(([group, tabs]) => (
      <optgroup key={group} label={group}>
        {tabs.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    ))}
  </Select>
);
