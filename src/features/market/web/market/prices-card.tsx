import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { use, useDeferredValue, useMemo, useState } from 'react';

import type { CryptoPrice, MarketTotals, SourceHealth } from '#features/market/contract/market.ts';
import { compact } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Fresh } from '#ui/fresh.tsx';
import { ClockContext } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { useSearchParams, writeTexts } from '#ui/search-params.ts';
import { Empty, ErrorState } from '#ui/states.tsx';
import { FigureOrigin } from './figure-origin.tsx';
import type { ListToolsProps } from './list-tools.tsx';
import { PriceTable, PriceTableSkeleton } from './price-table.tsx';
import { sparklinesQuery } from './queries.ts';
import { isFailing, priceSources, sourceName, sourceNote, sourcesNamed, trackedRows } from './quote.ts';
import { type Column, matches, nextSort, parseSort, sorted, sortText } from './sorting.ts';
import { useNewestTick, useSources } from './use-tick.ts';
import { useWatchlist } from './watchlist.ts';

const STATES: Record<SourceHealth['state'], string> = {
  ok: 'online',
  stale: 'stale',
  rate_limited: 'rate-limited',
  down: 'down',
  refused_region: 'blocked in this region',
  key_missing: 'missing a key',
  waiting: 'on standby',
  unknown: 'not recorded',
};

function dot(source: SourceHealth): string {
  if (source.state === 'ok') return 'bg-up';
  return isFailing(source) ? 'bg-warn' : 'bg-line-strong';
}

type PricesFootProps = {
  totals: MarketTotals;
  rows: readonly CryptoPrice[];
  sources: readonly SourceHealth[];
  more: number;
};

function PricesFoot({ totals, rows, sources: all, more }: PricesFootProps) {
  const sources = sourcesNamed(all, useSources(rows));
  const computed = rows.some(({ listing }) => listing.method === 'computed');
  return (
    <div className="mt-auto border-t border-line">
      <div className="num flex min-h-11 flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2.5 text-xs text-ink-3">
        <dl className="flex flex-wrap gap-x-6 gap-y-1.5">
          <Total name="Total market cap" figure="total_cap" usd={totals.market_cap} />
          <Total name="24h volume" figure="total_volume" usd={totals.volume_24h} />
        </dl>
        {more > 0 && <p className="ml-auto">+{more} more coins</p>}
      </div>
      {sources.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-2.5">
          <h3 className="label">Sources</h3>
          <ul className="contents">
            {sources.map((source) => (
              <li key={source.id} title={source.note ?? source.gives} className="label flex items-center gap-1.5">
                <span className={cx('size-1.5 rounded-full', dot(source))} aria-hidden="true" />
                <span className="text-ink-2">{source.name}</span>
                <span className={isFailing(source) ? 'text-warn' : undefined}>{STATES[source.state]}</span>
              </li>
            ))}
          </ul>
          {computed && <p className="label sm:ml-auto">Dotted values are computed: price × supply.</p>}
        </div>
      )}
    </div>
  );
}

function Total({ name, figure, usd }: { name: string; figure: string; usd: number | null }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}</dt>
      <dd>
        <FigureOrigin figure={figure} name={name} value={usd} className="-my-[3px] font-semibold text-ink">
          ${compact(usd ?? 0)}
        </FigureOrigin>
      </dd>
    </div>
  );
}

type PricesFreshProps = { rows: readonly CryptoPrice[]; nameOf: (source: string) => string };

/** The age of the newest number shown. Rows that lag behind have their own mark. */
function PricesFresh({ rows, nameOf }: PricesFreshProps) {
  const tick = useNewestTick();
  const newest = rows.reduce<CryptoPrice | undefined>(
    (best, row) => (!best || row.meta.observedAt > best.meta.observedAt ? row : best),
    undefined,
  );
  if (!newest) return null;
  const { source, observedAt, staleAfter, method } = newest.meta;
  const at = Date.parse(observedAt);
  const live = tick && tick.at > at ? tick : undefined;
  const name = nameOf(live?.source || source);
  return (
    <Fresh
      observedAt={live?.at ?? at}
      staleAfter={Date.parse(staleAfter) + (live ? live.at - at : 0)}
      source={method === 'demo' ? `${name} (demo)` : name}
    />
  );
}

export type PricesData = {
  rows: readonly CryptoPrice[];
  totals: MarketTotals;
  sources: readonly SourceHealth[];
  collection: string;
};

type PricesCardProps = {
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

export function PricesCard({ data, failed, onRetry, selected, onSelect }: PricesCardProps) {
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

/** The order follows the collection, not every tick: rows must not jump under the pointer. */
function useOrder(rows: readonly CryptoPrice[], collection: string, sort: string | null) {
  const [collected, setCollected] = useState({ collection, rows });
  if (collected.collection !== collection || collected.rows.length !== rows.length) setCollected({ collection, rows });
  return useMemo(() => new Map(sorted(collected.rows, parseSort(sort)).map(({ id }, i) => [id, i])), [collected, sort]);
}

/** Whether the chart column is shown. */
const isWide = () => typeof matchMedia === 'function' && matchMedia('(min-width: 80rem)').matches;

function Loaded({ data, selected, onSelect }: { data: PricesData } & Pick<PricesCardProps, 'selected' | 'onSelect'>) {
  const { rows, totals, sources, collection } = data;
  const stars = useWatchlist();
  const [params, change] = useSearchParams();
  const write = (texts: Record<string, string | null>) => change((now) => writeTexts(now, texts));
  const [search, sort] = [params.get('search') ?? '', params.get('sort')];
  const expanded = params.get('list') === 'all';
  const onlyStarred = params.get('watchlist') === '1';
  // The list is deferred: rendering 250 rows at once would delay the next key press.
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
  const onSort = (column: Column) => write({ sort: sortText(nextSort(parseSort(sort), column)) });

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
            className="-ml-2.5 text-ink-2"
          >
            <Star className={cx('size-3.5', onlyStarred && 'fill-current text-accent')} aria-hidden="true" />
            Watchlist
          </Button>
          <Button aria-expanded={expanded} onClick={onExpand} kind="quiet" className="-mr-2.5">
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
          sort={parseSort(sort)}
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
