import { useQuery, useQueryClient } from '@tanstack/react-query';
import { COLLECTIONS } from '#features/operations/contract/collections.ts';
import { useAddressFlag, useAddressText } from '#ui/address-filter.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Select } from '#ui/select.tsx';
import { useToken } from '#ui/session.ts';
import { CollectionCard } from './collection-card.tsx';
import { collectionsQuery } from './queries.ts';
import { ToolBar } from './tool-bar.tsx';

const CARD = { id: 'collections', title: 'Database Collections', className: 'min-h-96' };

/** What is stored, by collection. */
export function CollectionsTab() {
  const queries = useQueryClient();
  const [asked, choose] = useAddressText('collection');
  const collection = COLLECTIONS.find((name) => name === asked) ?? null;
  const [q, search] = useAddressText('search');
  const [raw, setRaw] = useAddressFlag('raw');
  const query = useQuery(collectionsQuery(useToken(), collection, q));
  // What was found before a search that failed is not its answer.
  const found = query.isError ? { ...query, data: undefined } : query;
  return (
    <>
      <ToolBar
        label="Search records"
        q={q}
        onSearch={search}
        raw={raw}
        onRaw={setRaw}
        onRefresh={() => void queries.resetQueries({ queryKey: ['admin-collections'] })}
      >
        <label className="max-sm:w-full">
          <span className="sr-only">Collection</span>
          <Select value={collection ?? ''} onText={choose} className="max-sm:h-11 max-sm:w-full">
            <option value="">All collections</option>
            {COLLECTIONS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
      </ToolBar>
      <QueryView query={found} card={CARD} failed="Failed to load admin data">
        {(summaries) => (
          <div
            aria-busy={query.isPlaceholderData}
            className={`grid gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,27rem),1fr))] ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            {summaries.map((summary) => (
              <CollectionCard key={summary.collection} summary={summary} raw={raw} />
            ))}
          </div>
        )}
      </QueryView>
    </>
  );
}
