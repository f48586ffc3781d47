import { useQuery } from '@tanstack/react-query';
import type { AdminSource } from '#features/operations/contract/sources.ts';
import { useAddressChoice, useAddressText } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { AdminSourceRow } from './admin-source-row.tsx';
import { adminSourcesQuery } from './queries.ts';
import { inOrder, summary } from './states.ts';

const CARD = { id: 'sources-tab', title: 'Sources', className: 'min-h-96' };
const HEADS = ['Source', 'State', 'Responses', 'Timing', 'Key and quota', 'Actions'] as const;
const CHOICES = ['All', 'Failing', 'Off'] as const;
type Choice = (typeof CHOICES)[number];

const FAILING: ReadonlySet<AdminSource['state']> = new Set(['down', 'rate_limited', 'stale']);
const IN_CHOICE: Record<Choice, (source: AdminSource) => boolean> = {
  All: () => true,
  Failing: ({ state }) => FAILING.has(state),
  Off: ({ state }) => state === 'key_missing' || state === 'refused_region',
};
const NONE: Record<Choice, { title: string; note?: string }> = {
  All: { title: 'No data sources yet' },
  Failing: { title: 'No sources are failing', note: 'Sources that are down, rate-limited or stale appear here.' },
  Off: { title: 'No sources are off', note: 'Sources missing a key or blocked in this region appear here.' },
};

const matches = ({ id, name, gives, jobs }: AdminSource, q: string) =>
  [id, name, gives, ...jobs].some((text) => text.toLowerCase().includes(q.toLowerCase()));

/** Every outside source as an operator wants it, for administrators. */
export function SourcesTab() {
  const query = useQuery(adminSourcesQuery(useToken()));
  const [choice, choose] = useAddressChoice('filter', CHOICES);
  const [q, search] = useAddressText('search');
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {({ sources }) => {
        const shown = inOrder(sources.filter((each) => IN_CHOICE[choice](each) && matches(each, q)));
        return (
          <Card {...CARD} note={<output className="label num">{summary(sources)}</output>}>
            <div className="flex flex-wrap items-center gap-3 px-4 pt-1 pb-3">
              <Segmented label="Filter sources" value={choice} options={CHOICES} onChange={choose} />
              <SearchBox label="Search by name, data or job" value={q} onSearch={search} />
            </div>
            {shown.length === 0 ? (
              <Empty {...(q ? { title: 'No sources found' } : NONE[choice])} />
            ) : (
              <table className="w-full text-left text-sm max-sm:block">
                <TableHead heads={HEADS} />
                <tbody className="max-sm:block">
                  {shown.map((source) => (
                    <AdminSourceRow key={source.id} source={source} />
                  ))}
                </tbody>
              </table>
            )}
          </Card>
        );
      }}
    </QueryView>
  );
}
