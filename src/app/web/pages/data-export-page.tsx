import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import { UPSELLS } from '#features/accounts/web/subscriptions/upsells.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { BasicForm } from '#features/exports/web/exports/basic-form.tsx';
import { CapabilityTable } from '#features/exports/web/exports/capability-table.tsx';
import { ExportsList } from '#features/exports/web/exports/exports-list.tsx';
import { StatisticsCard } from '#features/exports/web/exports/statistics-card.tsx';
import { useNews } from '#features/exports/web/exports/use-news.ts';
import { SettingsCard } from '#features/exports/web/settings-files/settings-card.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import type { Plan } from '#shared/contract.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

const { refusal } = UPSELLS['data-export'];

export function DataExportPage() {
  const account = useAccount();
  const limits = useDayLimits();
  const plan = planOf(account);
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
  useTitle('Data Export');
  useArrival();
  useNews();
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-3 sm:px-6 sm:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Data Export</h1>
        <Link to="/app/advanced-export" className={`${TEXT_LINK} inline-flex min-h-9 items-center text-sm`}>
          Advanced Export
        </Link>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">{UPSELLS['data-export'].about}</p>
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
    </div>
  );
}
