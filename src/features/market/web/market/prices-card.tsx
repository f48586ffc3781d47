import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { use, useMemo, useState } from 'react';
import type { CryptoPrice, MarketTotals, SourceHealth } from '#features/market/contract/market.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { ClockContext } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { Empty, ErrorState } from '#ui/states.tsx';
import type { SearchProps } from './list-tools.tsx';
import { PriceTable, PriceTableSkeleton } from './price-table.tsx';
import { PricesFoot } from './prices-foot.tsx';
import { PricesFresh } from './prices-fresh.tsx';
import { sparklinesQuery } from './queries.ts';
import { priceSources, sourceName, sourceNote, trackedRows } from './quote.ts';
import { type Column, matches, nextSort, type Sort, sorted } from './sorting.ts';
import { useWatchlist } from './watchlist.ts';

type Input = {
  rows: readonly CryptoPrice[];
  /** Names the collection the rows come from. Order follows it, not every tick: rows must not jump under the pointer. */
  collection: string;
  selected: string | null;
};

function usePriceList({ rows, collection, selected }: Input) {
  const stars = useWatchlist();
  const [expanded, setExpanded] = useState(false);
  const [onlyStarred, setOnlyStarred] = useState(false);
  const [words, setWords] = useState('');
  const [sort, setSort] = useState<Sort>(null);

  const [collected, setCollected] = useState({ collection, rows });
  if (collected.collection !== collection || collected.rows.length !== rows.length) setCollected({ collection, rows });
  const order = useMemo(() => new Map(sorted(collected.rows, sort).map(({ id }, i) => [id, i])), [collected, sort]);

  const listed = expanded || onlyStarred;
  const shown = useMemo(() => {
    if (!listed) {
      const top = trackedRows(rows);
      const pinned = rows.find(({ id }) => id === selected);
      return pinned && !top.includes(pinned) ? [...top, pinned] : top;
    }
    return rows
      .filter((row) => (!onlyStarred || stars.has(row.id)) && matches(row, words))
      .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  }, [rows, listed, onlyStarred, stars, words, order, selected]);

  return {
    shown,
    stars,
    listed,
    expanded,
    onlyStarred,
    words,
    sort,
    setWords,
    sortBy: (column: Column) => setSort((now) => nextSort(now, column)),
    toggleExpanded: () => {
      setExpanded(!expanded);
      setWords('');
      setSort(null);
      setOnlyStarred(false);
    },
    toggleStarred: () => setOnlyStarred(!onlyStarred),
  };
}

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

const ListSearch = part<SearchProps>({
  name: 'Search',
  load: async () => (await import('./list-tools.tsx')).ListSearch,
  loading: <div className="mb-2 h-8.5" />,
});

const NothingListed = part<Pick<SearchProps, 'words'>>({
  name: 'The list',
  load: async () => (await import('./list-tools.tsx')).NothingListed,
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

function Loaded({ data, selected, onSelect }: { data: PricesData } & Pick<Props, 'selected' | 'onSelect'>) {
  const { rows, totals, sources, collection } = data;
  const list = usePriceList({ rows, collection, selected });
  const { fixed } = use(ClockContext);
  const sparklines = useQuery(sparklinesQuery);
  const nameOf = (id: string) => sourceName(sources, id);
  const ofPrices = priceSources(sources);
  const note = sourceNote(rows, ofPrices);
  const waiting = list.expanded && rows.length < totals.coins;

  return (
    <Card
      {...TITLE}
      note={<PricesFresh rows={list.shown} nameOf={nameOf} />}
      action={
        <>
          <Button aria-pressed={list.onlyStarred} onClick={list.toggleStarred} kind="quiet" className="text-ink-2">
            <Star className={cx('size-3.5', list.onlyStarred && 'fill-current text-accent')} aria-hidden="true" />
            Watchlist
          </Button>
          <Button aria-expanded={list.expanded} onClick={list.toggleExpanded} kind="quiet">
            {list.expanded ? 'Show top 5' : `Show all ${totals.coins}`}
          </Button>
        </>
      }
    >
      {note && <p className="mx-4 mb-2 rounded-ctl bg-warn/10 px-3 py-1.5 text-xs font-medium text-warn">{note}</p>}
      {list.listed && <ListSearch words={list.words} onChange={list.setWords} />}
      {list.shown.length > 0 ? (
        <PriceTable
          rows={list.shown}
          series={(!fixed && sparklines.data?.series) || {}}
          stars={list.stars}
          selected={selected}
          sort={list.sort}
          onSort={list.listed ? list.sortBy : undefined}
          onSelect={onSelect}
          nameOf={nameOf}
        />
      ) : (
        <NothingListed words={list.words} />
      )}
      {waiting && (
        <output className="px-4 py-3 text-center text-sm text-ink-3 block">Loading {totals.coins} coins…</output>
      )}
      <PricesFoot
        totals={totals}
        rows={list.shown}
        sources={sources}
        more={list.listed ? 0 : totals.coins - list.shown.length}
      />
    </Card>
  );
}
