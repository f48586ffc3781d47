import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { UPSELLS } from '#features/accounts/web/subscriptions/upsells.ts';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import { BasicForm } from '#features/exports/web/exports/basic-form.tsx';
import { CapabilityTable } from '#features/exports/web/exports/capability-table.tsx';
import { ExportsList } from '#features/exports/web/exports/exports-list.tsx';
import { useNews } from '#features/exports/web/exports/queries.ts';
import { StatisticsCard } from '#features/exports/web/exports/statistics-card.tsx';
import { SettingsCard } from '#features/exports/web/settings-files/settings-card.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import type { Plan } from '#shared/contract.ts';
import { Page } from '#ui/page.tsx';

import { LockedPage } from './locked-page.tsx';

const { refusal } = UPSELLS['data-export'];

export function DataExportPage() {
  const account = useHydratedAccount();
  const limits = useDayLimits();
  const plan = accountPlan(account);
  return (
    <>
      <LockedPage page="data-export">{plan && <Open plan={plan} />}</LockedPage>
      {account.state !== 'unknown' && (
        <div className="mx-auto grid max-w-[1560px] gap-3 px-3 pb-8 sm:px-6">
          <CapabilityTable plan={plan} limits={limits} />
          {plan === 'free' && <SettingsCard plan={plan} />}
        </div>
      )}
    </>
  );
}

function Open({ plan }: { plan: Plan }) {
  useNews();
  return (
    <Page title="Data Export" lead={UPSELLS['data-export'].about} link={['Advanced Export', '/app/advanced-export']}>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="grid gap-3">
          <BasicForm />
          <SettingsCard plan={plan} />
        </div>
        <div className="grid gap-3">
          <StatisticsCard />
          <ExportsList title="Export History" refusal={refusal} />
        </div>
      </div>
    </Page>
  );
}
