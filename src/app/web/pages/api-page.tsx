import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { type Account, useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { AboutCard } from '#features/api/web/api/about-card.tsx';
import { Reference } from '#features/api/web/api/reference.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import { BRAND } from '#shared/brand.ts';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';
import { Tabs } from '#ui/tabs.tsx';

import { useAddress } from './use-address.ts';

const loading = <div className="min-h-dvh" />;

const AssistantsPart = part({
  name: 'The assistants section',
  load: async () => (await import('#features/api/web/api/assistants-part.tsx')).AssistantsPart,
  loading,
});

const WidgetBuilder = part({
  name: 'The widgets section',
  load: async () => (await import('#features/api/web/widgets/widget-builder.tsx')).WidgetBuilder,
  loading,
});

const TABS = [
  { id: 'calls', name: 'Endpoints' },
  { id: 'assistants', name: 'Assistants' },
  { id: 'widgets', name: 'Widgets' },
] as const;

function apiAccess(account: Account) {
  if (account.state === 'anonymous') return 'anonymous';
  return PLAN_LIMITS[accountPlan(account) ?? 'pro'].apiKeys ? 'keys' : 'free';
}

/** Open to everyone: only calls need a key. */
export function ApiPage() {
  const account = useAccount();
  const [asked, setTab] = useAddress('tab');
  const tab = TABS.find(({ id }) => id === asked)?.id ?? 'calls';
  const limits = useDayLimits();
  return (
    <Page
      title="API Reference"
      lead={<>The public API of {BRAND.name}, the MCP server for AI assistants, and widgets for your website.</>}
    >
      <Tabs label="API sections" tabs={TABS} value={tab} onChange={setTab}>
        {tab === 'calls' && (
          <div className="grid gap-4">
            <AboutCard limits={limits} reader={apiAccess(account)} />
            <Reference />
          </div>
        )}
        {tab === 'assistants' && <AssistantsPart />}
        {tab === 'widgets' && (
          <>
            <h2 className="sr-only">Widgets</h2>
            <WidgetBuilder />
          </>
        )}
      </Tabs>
    </Page>
  );
}
