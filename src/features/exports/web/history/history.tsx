import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { memo, useDeferredValue, useId, useMemo, useState } from 'react';
import type { HistoryRecord } from '#features/exports/contract/history.ts';
import { TYPE_NAMES } from '#features/exports/contract/history-names.ts';
import { grouped } from '#shared/format.ts';
import { useAddressFilter, useAddressText } from '#ui/address-filter.ts';
import { saveFile } from '#ui/api/file.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Select } from '#ui/select.tsx';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { Choices, SortChoice } from './choices.tsx';
import { HistoryTable } from './history-table.tsx';
import { LineChart } from './line-chart.tsx';
import { type Asked, historyQuery, lineQuery } from './queries.ts';
import { parseView, rangeMoments, sorted, writeView } from './view.ts';

const SUCCESS_MS = 15_000;
const LOCKED = 'Export requires Pro+ subscription';
const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['xlsx', 'Excel'],
  ['html', 'Printable report'],
] as const;
type Format = (typeof FORMATS)[number][0];

const fileName = ({ type, symbol }: Asked, format: Format, day: string): string =>
  `meridian-history-${[type, symbol, day].filter(Boolean).join('-').toLowerCase().replaceAll('_', '-')}.${format}`;

const exportPath = ({ type, symbol, from, to }: Asked, format: Format): string => {
  const asked = Object.entries({ format, symbol, from, to }).filter((entry): entry is [string, string] => !!entry[1]);
  return `/api/history/${type}/file?${new URLSearchParams(asked).toString()}`;
};

/** Saves the whole displayed range, in one of four formats. */
function ExportMenu({ asked, allowed }: { asked: Asked; allowed: boolean }) {
  const id = useId();
  const [busy, setBusy] = useState(false);

  const save = async (format: Format, name: string) => {
    if (busy) return;
    setBusy(true);
    try {
      await saveFile(exportPath(asked, format), fileName(asked, format, new Date().toISOString().slice(0, 10)));
      toast('success', `${TYPE_NAMES[asked.type]} exported as ${name}`, SUCCESS_MS);
    } catch (error) {
      toast('error', `Export failed: ${error instanceof Error ? error.message : 'Please try again.'}`);
    }
    setBusy(false);
  };

  if (!allowed)
    return (
      <span title={LOCKED}>
        <Button disabled aria-describedby={id} className="disabled:opacity-60">
          <Download className="size-3.5" aria-hidden="true" />
          Export
        </Button>
        <span id={id} className="sr-only">
          {LOCKED}
        </span>
      </span>
    );
  return (
    <Menu
      label="Export as"
      renderOpener={(props) => (
        <Button {...props} aria-busy={busy}>
          <Download className="size-3.5" aria-hidden="true" />
          {busy ? 'Exporting …' : 'Export'}
        </Button>
      )}
    >
      {FORMATS.map(([format, name]) => (
        <MenuItem key={format} disabled={busy} onSelect={() => void save(format, name)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

const HOUR_MS = 3_600_000;
const NONE: readonly HistoryRecord[] = [];

export type HistoryProps = {
  /** Cache key for the plan, which determines the visible history. */
  who: string;
  /** Days visible on the plan; null is all. */
  days: number | null;
  mayExport: boolean;
};

/** Stored values of one type: a chart, a table, and exports. */
export function History({ who, days, mayExport }: HistoryProps) {
  const [view, change] = useAddressFilter(parseView, writeView);
  const hour = useNow(HOUR_MS);
  const asked: Asked = { type: view.type, symbol: view.symbol, ...rangeMoments(view, hour) };
  const query = useInfiniteQuery({ ...historyQuery(asked, who), enabled: hour > 0 });
  const pages = query.data?.pages;
  const records = useMemo(() => pages?.flatMap((page) => page.records) ?? NONE, [pages]);
  // The header responds immediately; the rows follow.
  const sort = useDeferredValue(view.sort);
  const rows = useMemo(() => sorted(records, sort), [records, sort]);
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
          empty={<Empty title="No historical data" note={pages?.[0]?.reason ?? 'No data stored for this range'} />}
        >
          {() => (
            <>
              <Drawn {...asked} who={who} records={records} />
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2">
                <p className="label num" aria-live="polite">
                  {grouped(records.length)} {records.length === 1 ? 'value' : 'values'} loaded
                  {hasNextPage && ', more available'}
                  {hasNextPage && view.sort && '; sorting applies to loaded values'}
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
    for full history and exports.
  </p>
);

type DrawnProps = Asked & { who: string; records: readonly HistoryRecord[] };

/** Chart of the chosen series, or of one of those loaded. */
const Drawn = memo(function Drawn({ who, records, ...asked }: DrawnProps) {
  const [chosen, setChosen] = useAddressText('series');
  const symbols = useMemo(() => [...new Set(records.map(({ symbol }) => symbol))].toSorted(), [records]);
  const symbol = symbols.find((each) => each === chosen) ?? records[0]?.symbol ?? '';
  const { data } = useQuery(lineQuery({ ...asked, symbol }, who));
  const points = useMemo(() => {
    const read = data?.filter((record) => record.symbol === symbol) ?? [];
    const known = read.length > 0 ? read : records.filter((record) => record.symbol === symbol);
    return known.toReversed();
  }, [data, records, symbol]);
  return (
    <section aria-label={`${symbol} chart`} className="relative">
      {symbols.length > 1 && (
        <Select aria-label="Series" className="absolute top-0 right-4 z-10" value={symbol} onText={setChosen}>
          {symbols.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      )}
      <LineChart key={symbol} points={points} />
    </section>
  );
});
