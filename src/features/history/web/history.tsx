import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { useAddressFilter } from '#web/ui/address-filter.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { TEXT_LINK } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';
import { SELECT } from '#web/ui/select.ts';
import { Empty } from '#web/ui/states.tsx';

import type { HistoryRecord } from '../contract.ts';
import { TYPE_NAMES } from '../names.ts';
import { Choices, SortChoice } from './choices.tsx';
import { ExportMenu } from './export-menu.tsx';
import { HistoryTable } from './history-table.tsx';
import { LineChart } from './line-chart.tsx';
import { type Asked, historyQuery, lineQuery } from './queries.ts';
import { momentsOf, parseView, sorted, writeView } from './view.ts';

const HOUR_MS = 3_600_000;
const NONE: readonly HistoryRecord[] = [];

export type HistoryProps = {
  /** Whose past is read; another plan sees another one. */
  who: string;
  /** Days that the plan shows; null is all. */
  days: number | null;
  mayExport: boolean;
};

/** What is stored of one type: a line, every value, and files of it. */
export function History({ who, days, mayExport }: HistoryProps) {
  const [view, change] = useAddressFilter(parseView, writeView);
  const hour = useNow(HOUR_MS);
  const asked: Asked = { type: view.type, symbol: view.symbol, ...momentsOf(view, hour) };
  const query = useInfiniteQuery({ ...historyQuery(asked, who), enabled: hour > 0 });
  const pages = query.data?.pages;
  const records = useMemo(() => pages?.flatMap((page) => page.records) ?? NONE, [pages]);
  const rows = useMemo(() => sorted(records, view.sort), [records, view.sort]);
  const more = () => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isError) void query.fetchNextPage();
  };
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  return (
    <>
      {days !== null && <Limit days={days} />}
      <Card id="stored" title={TYPE_NAMES[view.type]} className="min-h-[34rem]">
        <Choices
          view={view}
          change={change}
          symbols={pages?.[0]?.symbols ?? []}
          days={days}
          action={<ExportMenu asked={asked} allowed={mayExport} />}
        />
        <QueryView
          query={query}
          loading={<Loading />}
          failed="Failed to load historical data"
          isEmpty={() => records.length === 0}
          empty={<Empty title="No historical data" note={pages?.[0]?.reason ?? 'Nothing is stored in this range'} />}
        >
          {() => (
            <>
              <Drawn asked={asked} who={who} records={records} />
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2">
                <p className="label num" aria-live="polite">
                  {records.length.toLocaleString('en-US')} {records.length === 1 ? 'value' : 'values'} loaded
                  {hasNextPage && ', older ones follow'}
                  {hasNextPage && view.sort && '; sorted among the loaded ones'}
                </p>
                <SortChoice sort={view.sort} onSort={(sort) => change({ sort })} />
              </div>
              <HistoryTable
                key={JSON.stringify(asked)}
                rows={rows}
                sort={view.sort}
                onSort={(sort) => change({ sort })}
                onEnd={more}
              />
              {hasNextPage && (
                <p className="flex items-center justify-center gap-3 py-3">
                  {isFetchNextPageError && (
                    <span role="alert" className="text-sm text-down">
                      Failed to load historical data
                    </span>
                  )}
                  <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    {isFetchingNextPage ? 'Loading …' : isFetchNextPageError ? 'Retry' : 'Load more'}
                  </Button>
                </p>
              )}
            </>
          )}
        </QueryView>
      </Card>
    </>
  );
}

function Loading() {
  return (
    <>
      <output className="sr-only">Loading historical data</output>
      <div className="skel mx-4 mb-4 h-80" aria-hidden="true" />
    </>
  );
}

const Limit = ({ days }: { days: number }) => (
  <p className="rounded-ctl bg-warn/10 px-3 py-1.5 text-sm">
    Your plan shows the last {days} days.{' '}
    <Link to="/app/subscription" className={TEXT_LINK}>
      Upgrade to Pro
    </Link>{' '}
    for all of it and for exports.
  </p>
);

type DrawnProps = { asked: Asked; who: string; records: readonly HistoryRecord[] };

/** The line of the chosen series; where several are loaded, of one of them. */
function Drawn({ asked, who, records }: DrawnProps) {
  const [chosen, setChosen] = useState('');
  const symbols = useMemo(() => [...new Set(records.map(({ symbol }) => symbol))].toSorted(), [records]);
  const symbol = symbols.find((each) => each === chosen) ?? records[0]?.symbol ?? '';
  const { data } = useQuery(lineQuery({ ...asked, symbol }, who));
  const points = useMemo(() => {
    const read = data?.filter((record) => record.symbol === symbol) ?? [];
    const known = read.length > 0 ? read : records.filter((record) => record.symbol === symbol);
    return known.toReversed();
  }, [data, records, symbol]);
  return (
    <section aria-label={`Chart of ${symbol}`} className="relative">
      {symbols.length > 1 && (
        <select
          aria-label="Series drawn"
          className={`${SELECT} absolute top-0 right-4 z-10`}
          value={symbol}
          onChange={(event) => setChosen(event.target.value)}
        >
          {symbols.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <LineChart key={symbol} points={points} />
    </section>
  );
}
