import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ISeriesPrimitive } from 'lightweight-charts';
import { ChartNoAxesCombined } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type Asset, getCalls, type Horizon, type RecordedCall } from '#features/analysis/contract/predictions.ts';
import { dateTime, price, rangeText } from '#shared/format.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { type CallBar, callBars, toCallBars } from './call-bars.ts';

type Draw = (drawn: ISeriesPrimitive | null) => void;
export type ChartCallsProps = { symbol: Asset; onDraw: Draw };

const HORIZONS = ['24h', '7d'] as const satisfies readonly Horizon[];
const NAMES = { held: 'Held', missed: 'Missed', open: 'Open' };
const STATES = ['held', 'missed', 'open'] as const;

/** The newest calls, open ones included. */
const callsQuery = (asset: Asset, horizon: Horizon) =>
  queryOptions({
    queryKey: ['calls', 'chart', asset, horizon],
    queryFn: ({ signal }) => call(getCalls, { query: { provider: 'local', asset, horizon, limit: '100' } }, signal),
    staleTime: 60_000,
  });

/** Below a price chart: past calls of the built-in analyst, drawn over it on demand. */
export function ChartCalls({ symbol, onDraw }: ChartCallsProps) {
  const [asked, ask] = useAddressText('calls');
  const horizon = HORIZONS.find((each) => each === asked);
  return (
    <section aria-label="Past calls" className="border-t border-line p-2 text-xs">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button className="text-xs" aria-pressed={!!horizon} onClick={() => ask(horizon ? null : HORIZONS[0])}>
          <ChartNoAxesCombined className="size-3.5" aria-hidden="true" />
          Past calls
        </Button>
        {horizon && (
          <>
            <Segmented label="Horizon of the calls" value={horizon} options={HORIZONS} onChange={ask} />
            <Legend />
          </>
        )}
      </div>
      {horizon && <Shown symbol={symbol} horizon={horizon} onDraw={onDraw} />}
    </section>
  );
}

function Legend() {
  return (
    <ul aria-label="Legend" className="ml-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
      {STATES.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <svg viewBox="0 0 12 18" width="12" height="18" aria-hidden="true" className={TONES[state]} fill="none">
            {MARKS[state]}
          </svg>
          {NAMES[state]}
        </li>
      ))}
    </ul>
  );
}

const TONES = { held: 'text-accent', missed: 'text-warn', open: 'text-accent' };
const MARKS = {
  held: (
    <g fill="currentColor">
      <rect x="3" y="1" width="6" height="16" opacity=".3" />
      <circle cx="6" cy="9" r="2.5" />
    </g>
  ),
  missed: <path d="M3.5 8.5h5v8h-5zM6 8.5V4M3 1l6 6M9 1l-6 6" stroke="currentColor" strokeWidth="1.5" />,
  open: <path d="M3 1h6v16h-6z" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 2" />,
};

function Shown({ symbol, horizon, onDraw }: ChartCallsProps & { horizon: Horizon }) {
  const query = useQuery(callsQuery(symbol, horizon));
  return (
    <QueryView
      query={query}
      loading={
        <output aria-label="Loading past calls" className="block p-2">
          <div className="skel h-10" />
        </output>
      }
      failed="Failed to load past calls"
    >
      {({ calls }) => <Bars calls={calls} horizon={horizon} onDraw={onDraw} />}
    </QueryView>
  );
}

function Bars({ calls, horizon, onDraw }: { calls: readonly RecordedCall[]; horizon: Horizon; onDraw: Draw }) {
  const [pointed, setPointed] = useState<CallBar | null>(null);
  const bars = useMemo(() => toCallBars(calls), [calls]);
  useEffect(() => {
    onDraw(callBars(bars, setPointed));
    return () => {
      setPointed(null);
      onDraw(null);
    };
  }, [bars, onDraw]);
  return (
    <div className="num grid gap-1 px-2.5 pt-1.5 pb-1">
      <p className="font-medium">
        {summaryText(bars)}{' '}
        <Link to="/app/track-record" className="font-normal whitespace-nowrap text-accent">
          Track Record
        </Link>
      </p>
      <p className="min-h-8 text-ink-3 sm:min-h-4">
        {pointed
          ? callSentence(pointed)
          : `Bars: 80% range of each ${horizon} call by the built-in analyst, at the time it ended. Marks: the price at that time.`}
      </p>
    </div>
  );
}

/** "Last 30 calls: 80% range held 26, missed 4 · 1 open" */
function summaryText(bars: readonly CallBar[]): string {
  const [held, missed, open] = STATES.map((state) => bars.filter((bar) => bar.state === state).length) as [
    number,
    number,
    number,
  ];
  const graded = held + missed;
  const past =
    graded === 0
      ? 'No graded calls yet'
      : `Last ${graded === 1 ? 'call' : `${graded} calls`}: 80% range held ${held}, missed ${missed}`;
  return open === 0 ? past : `${past} · ${open} open`;
}

function callSentence({ call, price: end, state, low, high }: CallBar): string {
  const summary = `${call.horizon} call of ${dateTime(Date.parse(call.issued_at))}: ${rangeText({ low, high })}`;
  if (end === null) return `${summary}, open until ${dateTime(Date.parse(call.resolves_at))}`;
  return `${summary}, ended at $${price(end)}: ${state}`;
}
