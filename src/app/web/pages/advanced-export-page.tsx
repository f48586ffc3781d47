import { useState } from 'react';
import { UPSELLS } from '#features/accounts/web/subscriptions/upsells.ts';
import { AdvancedForm } from '#features/exports/web/exports/advanced-form.tsx';
import { type Draft, FIRST_DRAFT } from '#features/exports/web/exports/draft.ts';
import { ExportsList } from '#features/exports/web/exports/exports-list.tsx';
import { NamedExport } from '#features/exports/web/exports/named-export.tsx';
import { ScheduledCard } from '#features/exports/web/exports/scheduled-card.tsx';
import { StatisticsCard } from '#features/exports/web/exports/statistics-card.tsx';
import { useNews } from '#features/exports/web/exports/use-news.ts';
import { WhiteLabelCard } from '#features/exports/web/exports/white-label-card.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useSearchParams } from '#ui/search-params.ts';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

import { LockedPage } from './locked-page.tsx';

const RECENT = 5;
const { refusal } = UPSELLS['data-export'];

export function AdvancedExportPage() {
  return (
    <LockedPage page="advanced-export">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useTitle('Advanced Data Export');
  useArrival();
  useNews();
  const [params] = useSearchParams();
  const named = params.get('export');
  const [draft, setDraft] = useState<Draft>(FIRST_DRAFT);
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Advanced Data Export</h1>
        <Link to="/app/data-export" className={`${TEXT_LINK} inline-flex min-h-9 items-center text-sm`}>
          All exports
        </Link>
      </div>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">{UPSELLS['advanced-export'].about}</p>
      <div className="grid gap-3">
        {named && <NamedExport id={named} />}
        <div className="grid items-start gap-3 lg:grid-cols-2">
          <div className="grid gap-3">
            <AdvancedForm draft={draft} onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
            <ScheduledCard draft={draft} />
          </div>
          <div className="grid gap-3">
            <StatisticsCard />
            <ExportsList title="Recent Exports" most={RECENT} marked={named} refusal={refusal} />
            <WhiteLabelCard />
          </div>
        </div>
      </div>
    </div>
  );
}
