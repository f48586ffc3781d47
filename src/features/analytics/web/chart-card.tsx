import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Minus, Plus, RotateCw } from 'lucide-react';
import { type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import type { Candles } from '#features/market/contract/market.ts';
import { compact, price } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SourceNames } from '#ui/source-names.ts';
import { Empty } from '#ui/states.tsx';

import { type Bar, barName, isBar, type Mark, marksByBar, toSlots } from './bars.ts';
import { ChartCanvas, ChartLegend, type Handle, type Watch } from './chart-canvas.tsx';
import { chartQuery } from './queries.ts';
import { ASSETS, type Asset, outsideChart, TIMEFRAMES, type Timeframe, type View } from './view.ts';

const SHOWN = 10;

/** Text alternative to the chart, newest bars first. */
function BarsTable({ asset, timeframe, bars }: { asset: Asset; timeframe: Timeframe; bars: readonly Bar[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>
          {ASSETS[asset]}, the last {Math.min(SHOWN, bars.length)} bars of {TIMEFRAMES[timeframe]}, newest first, in USD
        </caption>
        <thead>
          <tr>
            {['Time (UTC)', 'Open', 'High', 'Low', 'Close', 'Volume'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .slice(-SHOWN)
            .toReversed()
            .map(({ time, open, high, low, close, volume }) => (
              <tr key={time}>
                <th scope="row">{barName(timeframe, time)}</th>
                <td>{price(open)}</td>
                <td>{price(high)}</td>
                <td>{price(low)}</td>
                <td>{price(close)}</td>
                <td>{volume === null ? 'unavailable' : compact(volume)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

const NO_MARKS: readonly Mark[] = [];

export type ChartCardProps = {
  view: View;
  /** The controls above the chart. */
  tools: ReactNode;
  watch: Watch;
  /** Calendar events; those outside the visible range are omitted. */
  marks: readonly Mark[];
};

export function ChartCard({ view, tools, watch, marks }: ChartCardProps) {
  const { asset, timeframe, chartType, compare } = view;
  const chart = useQuery(chartQuery(asset, timeframe));
  const other = useQuery({ ...chartQuery(compare ?? asset, timeframe), enabled: compare !== null });
  const refresh = () => void Promise.all([chart.refetch(), ...(compare ? [other.refetch()] : [])]);
  return (
    <section aria-labelledby="price-chart" className="card flex min-h-[42rem] min-w-0 flex-col">
      <h2 id="price-chart" className="sr-only">
        Price Chart
      </h2>
      <div className="grid grid-cols-2 items-end gap-3 border-b border-line p-3 sm:flex sm:flex-wrap">
        {tools}
        <Button onClick={refresh} disabled={chart.isFetching} className="disabled:opacity-60 max-sm:h-11!">
          <RotateCw className={cx('size-3.5', chart.isFetching && 'animate-spin')} aria-hidden="true" />
          Refresh Chart
        </Button>
      </div>
      <QueryView
        query={chart}
        loading={
          <output aria-label="Loading chart" className="flex flex-1 p-3">
            <div className="skel flex-1" />
          </output>
        }
        failed="Failed to load the chart"
        isEmpty={({ candles }) => candles.length === 0}
        empty={
          chart.data?.history === 'loading' ? (
            <Empty title="History loading" note="History is being collected. The chart appears automatically." />
          ) : (
            <Empty title="No history for this interval" note="No source has provided it." />
          )
        }
      >
        {(data) => (
          <Loaded
            key={`${asset} ${timeframe}`}
            data={data}
            other={compare && other.data ? other.data : null}
            view={{ ...view, chartType }}
            watch={watch}
            marks={view.events ? marks : NO_MARKS}
            failedOther={compare !== null && other.isError && !other.data ? () => void other.refetch() : null}
          />
        )}
      </QueryView>
    </section>
  );
}

type LoadedProps = Pick<ChartCardProps, 'view' | 'watch' | 'marks'> & {
  data: Candles;
  other: Candles | null;
  /** Retries the second asset after a failure. */
  failedOther: (() => void) | null;
};

function Loaded({ data, other, view, watch, marks, failedOther }: LoadedProps) {
  const { asset, timeframe, chartType, compare } = view;
  const [looked, setLooked] = useState<number | null>(null);
  const [live, setLive] = useState<Bar | null>(null);
  const handle = useRef<Handle>(null);
  const slots = useMemo(() => toSlots(data, timeframe), [data, timeframe]);
  const otherSlots = useMemo(() => other && toSlots(other, timeframe), [other, timeframe]);
  const marked = useMemo(() => marksByBar(marks, slots, timeframe), [marks, slots, timeframe]);
  const picture = useMemo(
    () => ({ chartType, slots, other: otherSlots, marks: marked }),
    [chartType, slots, otherSlots, marked],
  );
  const bars = useMemo(() => slots.filter(isBar), [slots]);
  const onLook = useCallback((time: number | null) => setLooked(time), []);
  const onLive = useCallback((bar: Bar) => setLive(bar), []);

  const newest = bars.at(-1);
  const last = live && newest && live.time >= newest.time ? live : newest;
  const bar = looked === null || looked === last?.time ? last : bars.find(({ time }) => time === looked);
  const before = bar && bars.findLast(({ time }) => time < bar.time)?.close;
  const otherBar = compare && {
    asset: compare,
    bar: otherSlots?.filter(isBar).find(({ time }) => time === bar?.time),
  };
  return (
    <>
      <ChartLegend
        asset={asset}
        timeframe={timeframe}
        bar={bar}
        before={before}
        other={otherBar}
        marks={bar ? (marked.get(bar.time) ?? []) : []}
      />
      {failedOther && compare && (
        <p role="alert" className="flex flex-wrap items-center gap-2 px-4 text-sm font-medium text-down">
          {ASSETS[compare]} could not be loaded for comparison.
          <Button kind="quiet" onClick={failedOther}>
            Retry
          </Button>
        </p>
      )}
      <div className="relative flex flex-1 flex-col">
        <ChartCanvas
          asset={asset}
          other={other ? compare : null}
          timeframe={timeframe}
          picture={picture}
          label={`${ASSETS[asset]}, ${TIMEFRAMES[timeframe]}, ${chartType} chart${compare ? ` against ${ASSETS[compare]}` : ''}. Arrow keys read the bars`}
          watch={watch}
          handle={handle}
          onLook={onLook}
          onLive={onLive}
        />
      </div>
      <BarsTable asset={asset} timeframe={timeframe} bars={bars} />
      <Foot data={data} view={view} marks={[...marked.values()].flat()} handle={handle} />
    </>
  );
}

type FootProps = Pick<LoadedProps, 'data' | 'view'> & {
  marks: readonly Mark[];
  handle: { readonly current: Handle | null };
};

function Foot({ data: { meta, history, limitedToDays, gaps }, view, marks, handle }: FootProps) {
  const nameOf = use(SourceNames);
  const demo = meta?.method === 'demo' ? ' (demo)' : '';
  const notes = [
    history === 'loading' && 'History loading: older bars are still arriving.',
    limitedToDays !== null && `These bars are kept for ${limitedToDays} days.`,
    gaps.length > 0 && `${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'} without trades, left empty.`,
    view.events && marks.length > 0 && `${marks.length} ${marks.length === 1 ? 'event' : 'events'} marked.`,
  ].filter(Boolean);
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-xs text-ink-3">
      {meta && (
        <Fresh
          observedAt={Date.parse(meta.observedAt)}
          staleAfter={Date.parse(meta.staleAfter)}
          source={nameOf(meta.source) + demo}
        />
      )}
      {notes.length > 0 && <p>{notes.join(' ')}</p>}
      <div className="ml-auto flex items-center gap-1">
        <Button kind="quiet" aria-label="Zoom out" onClick={() => handle.current?.zoom(1 / 1.5)}>
          <Minus className="size-3.5" aria-hidden="true" />
        </Button>
        <Button kind="quiet" aria-label="Zoom in" onClick={() => handle.current?.zoom(1.5)}>
          <Plus className="size-3.5" aria-hidden="true" />
        </Button>
        <Button kind="quiet" onClick={() => handle.current?.newest()}>
          Newest
        </Button>
        <a
          href={outsideChart(view)}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex h-8 items-center gap-1.5 px-2.5 text-sm font-medium text-accent hover:underline"
        >
          TradingView
          <ExternalLink className="size-3.5" aria-hidden="true" />
          <span className="sr-only">: {ASSETS[view.asset]} (opens in a new tab)</span>
        </a>
      </div>
    </footer>
  );
}
