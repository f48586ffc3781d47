import { useQuery } from '@tanstack/react-query';
import { Card } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { Fresh } from '#web/ui/fresh.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { SourceList } from '../contract.ts';
import { sourcesQuery } from './queries.ts';
import { COLUMNS, SourceItem } from './source-item.tsx';
import { inOrder, summary } from './states.ts';

const CARD = { id: 'sources', title: 'Sources', className: 'min-h-dvh' };
const STALE_MS = 300_000;
const HEADS = ['Source', 'State', 'Last success', '24 hours', '30 days', 'Licence and attribution'] as const;

export function SourcesList() {
  const query = useQuery(sourcesQuery);
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="Failed to load the data sources"
      isEmpty={({ sources }) => sources.length === 0}
      empty={<Empty title="No data sources yet" note="The first collection has not begun." />}
    >
      {(data) => <Loaded data={data} />}
    </QueryView>
  );
}

function Loaded({ data }: { data: SourceList }) {
  const at = Date.parse(data.timestamp);
  return (
    <Card {...CARD} title={summary(data.sources)} note={<Fresh observedAt={at} staleAfter={at + STALE_MS} />}>
      {data.dataMode === 'demo' && (
        <p className="mx-4 mb-2 rounded-ctl bg-warn/10 px-3 py-1.5 text-xs font-medium text-warn">
          Demo data: the built-in provider sandbox answers in the place of every source.
        </p>
      )}
      <div className={cx(COLUMNS, 'label hidden h-8 xl:items-center xl:grid')} aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <ul className="border-t border-line">
        {inOrder(data.sources).map((source) => (
          <SourceItem key={source.id} source={source} />
        ))}
      </ul>
    </Card>
  );
}
