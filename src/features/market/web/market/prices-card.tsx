import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { use, useDeferredValue, useMemo, useState } from 'react';
import type { CryptoPrice, MarketTotals, SourceHealth } from '#features/market/contract/market.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { ClockContext } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { useSearchParams, writeTexts } from '#ui/search-params.ts';
import { Empty, ErrorState } from '#ui/states.tsx';
import type { ListToolsProps } from './list-tools.tsx';
import { PriceTable, PriceTableSkeleton } from './price-table.tsx';
import { PricesFoot } from './prices-foot.tsx';
import { PricesFresh } from './prices-fresh.tsx';
import { sparklinesQuery } from './queries.ts';
import { priceSources, sourceName, sourceNote, trackedRows } from './quote.ts';
import { type Column, matches, nextSort, sorted, sortOf, sortText } from './sorting.ts';
import { useWatchlist } from './watchlist.ts';

export type PricesData = {
  rows: readonly CryptoPrice[];
  totals: MarketTotals;
  sources: readonly SourceHealth[];
  collection: string;
};

type Props = {
  data: PricesData | undefined;
  failed: { message: string; detail?: string | undefined } | null;
  onRetry: () => void;
  selected: string | null;
  onSelect: (id: string | null) => void;
};

const ListTools = part<ListToolsProps>({
  name: 'Search',
  load: async () => (await import('./list-tools.tsx')).ListTools,
  loading: <div className="mb-2 h-11 sm:h-8.5" />,
});

const TITLE = { id: 'crypto-prices', title: 'Crypto Prices' } as const;

export function PricesCard({ data, failed, onRetry, selected, onSelect }: Props) {
  if (data && data.rows.length > 0) return <Loaded data={data} selected={selected} onSelect={onSelect} />;
  if (data || failed)
    return (
      <Card {...TITLE} className="min-h-[23rem]">
        {failed && !data ? (
          <ErrorState {...failed} onRetry={onRetry} />
        ) : (
          <Empty title="No crypto price data available" note="Data collection is in progress..." />
        )}
      </Card>
    );
  return (
    <Card {...TITLE}>
      <output className="sr-only">Loading prices</output>
      <PriceTableSkeleton />
      <div className="h-11 border-t border-line px-4 py-3.5">
        <div className="skel h-4 max-w-72" />
      </div>
    </Card>
  );
}

/** Order follows the collection, not every tick: rows must not jump under the pointer. */
function useOrder(rows: readonly CryptoPrice[], collection: string, sort: string | null) {
  const [collected, setCollected] = useState({ collection, rows });
  if (collected.collection !== collection || collected.rows.length !== rows.length) setCollected({ collection, rows });
  return useMemo(() => new Map(sorted(collected.rows, sortOf(sort)).map(({ id }, i) => [id, i])), [collected, sort]);
}

/** Where the column of charts is shown. */
const isWide = () => typeof matchMedia === 'function' && matchMedia('(min-width: 80rem)').matches;

function Loaded({ data, selected, onSelect }: { data: PricesData } & Pick<Props, 'selected' | 'onSelect'>) {
  const { rows, totals, sources, collection } = data;
  const stars = useWatchlist();
  const [params, change] = useSearchParams();
  const write = (texts: Record<string, string | null>) => change((now) => writeTexts(now, texts));
  const [search, sort] = [params.get('search') ?? '', params.get('sort')];
  const expanded = params.get('list') === 'all';
  const onlyStarred = params.get('watchlist') === '1';
  // The list follows in slices: rendering 250 rows at once would delay the next key.
  const list = useDeferredValue(onlyStarred ? 'starred' : expanded ? 'all' : 'top');
  const listed = list !== 'top';
  const words = useDeferredValue(search);
  const open = useDeferredValue(selected);
  const order = useOrder(rows, collection, useDeferredValue(sort));
  const shown = useMemo(() => {
    if (list === 'top') {
      const top = trackedRows(rows);
      const pinned = rows.find(({ id }) => id === open);
      return pinned && !top.includes(pinned) ? [...top, pinned] : top;
    }
    return rows
      .filter((row) => (list === 'all' || stars.has(row.id)) && matches(row, words))
      .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  }, [rows, list, stars, words, order, open]);
  const { fixed } = use(ClockContext);
  const sparklines = useQuery({ ...sparklinesQuery, enabled: isWide });
  const nameOf = (id: string) => sourceName(sources, id);
  const ofPrices = priceSources(sources);
  const note = sourceNote(rows, ofPrices);
  const waiting = expanded && rows.length < totals.coins;
  const onExpand = () => write({ list: expanded ? null : 'all', watchlist: null, search: null, sort: null });
  const onSort = (column: Column) => write({ sort: sortText(nextSort(sortOf(sort), column)) });

  return (
    <Card
      {...TITLE}
      note={<PricesFresh rows={shown} nameOf={nameOf} />}
      action={
        <>
          <Button
            aria-pressed={onlyStarred}
            onClick={() => write({ watchlist: onlyStarred ? null : '1' })}
            kind="quiet"
            className="text-ink-2"
          >
            <Star className={cx('size-3.5', onlyStarred && 'fill-current text-accent')} aria-hidden="true" />
            Watchlist
          </Button>
          <Button aria-expanded={expanded} onClick={onExpand} kind="quiet">
            {expanded ? 'Show top 5' : `Show all ${totals.coins}`}
          </Button>
        </>
      }
    >
      {note && <p className="mx-4 mb-2 rounded-ctl bg-warn/10 px-3 py-1.5 text-xs font-medium text-warn">{note}</p>}
      {listed && (
        <ListTools words={search} onChange={(words) => write({ search: words })} isEmpty={shown.length === 0} />
      )}
      {shown.length > 0 && (
        <PriceTable
          rows={shown}
          series={(!fixed && sparklines.data?.series) || {}}
          stars={stars}
          selected={open}
          sort={sortOf(sort)}
          onSort={listed ? onSort : undefined}
          onSelect={onSelect}
          nameOf={nameOf}
        />
      )}
      {waiting && (
        <output className="px-4 py-3 text-center text-sm text-ink-3 block">Loading {totals.coins} coins…</output>
      )}
      <PricesFoot totals={totals} rows={shown} sources={sources} more={listed ? 0 : totals.coins - shown.length} />
    </Card>
  );
}
