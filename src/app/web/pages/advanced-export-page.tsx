import { useState } from 'react';
import { UPSELLS } from '#features/accounts/web/subscriptions/upsells.ts';
import { AdvancedForm } from '#features/exports/web/exports/advanced-form.tsx';
import { type Draft, FIRST_DRAFT } from '#features/exports/web/exports/draft.ts';
import { ExportsList } from '#features/exports/web/exports/exports-list.tsx';
import { NamedExport } from '#features/exports/web/exports/named-export.tsx';
import { useNews } from '#features/exports/web/exports/queries.ts';
import { ScheduledCard } from '#features/exports/web/exports/scheduled-card.tsx';
import { StatisticsCard } from '#features/exports/web/exports/statistics-card.tsx';
import { WhiteLabelCard } from '#features/exports/web/exports/white-label-card.tsx';
import { Page } from '#ui/page.tsx';
import { useSearchParams } from '#ui/search-params.ts';

import { LockedPage } from './locked-page.tsx';

const RECENT = 5;
const { refusal } = UPSELLS['data-export'];

export function AdvancedExportPage() {
  return (
    <LockedPage page="advanced-export" title="Advanced Data Export">
      <Open />
    </LockedPage>
  );
}

function Open() {
  useNews();
  const [params] = useSearchParams();
  const named = params.get('export');
  const [draft, setDraft] = useState<Draft>(FIRST_DRAFT);
  return (
    <Page
      title="Advanced Data Export"
      lead={UPSELLS['advanced-export'].about}
      link={['All exports', '/app/data-export']}
    >
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
    </Page>
  );
}
