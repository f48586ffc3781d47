import type { ISeriesPrimitive } from 'lightweight-charts';
import { BellPlus, X } from 'lucide-react';
import { type ToggleEvent, use, useEffect, useMemo, useRef, useState } from 'react';

import { type ChartRange, type CryptoPrice, TRACKED } from '#features/market/contract/market.ts';
import { compact, dateTime, grouped, price, rangeText } from '#shared/format.ts';
import type { Method, Provenance } from '#shared/provenance.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Change } from '#ui/change.tsx';
import { Fresh } from '#ui/fresh.tsx';
import { useNow } from '#ui/now.ts';
import { RangeBar } from '#ui/range-bar.tsx';
import { Segmented } from '#ui/segmented.tsx';

import { CoinChart } from './coin-chart.tsx';
import { type Coverage, ExpectedRanges } from './expected-ranges.ts';
import { LiveChange, LivePrice } from './live-cells.tsx';
import { withTick } from './quote.ts';
import { QuoteTable } from './quote-table.tsx';
import { type ExpectedRange, useExpectedRanges } from './use-expected-ranges.ts';
import { useTick } from './use-tick.ts';

const at = (iso: string): string => dateTime(Date.parse(iso));

const METHODS: Record<Method, string> = {
  measured: 'Measured: as reported by the source',
  computed: 'Computed: price × supply',
  default: 'Default, not measured',
  demo: 'Demo: the simulated market',
};

type ProvenanceTagProps = { id: string; title: string; meta: Provenance; nameOf: (source: string) => string };

/** Age and source; clicking opens the full provenance of the number. */
export function ProvenanceTag({ id, title, meta, nameOf }: ProvenanceTagProps) {
  const button = useRef<HTMLButtonElement>(null);
  const place = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open' || !button.current) return;
    const box = button.current.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = event.currentTarget;
    style.left = `${Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${box.bottom + offsetHeight + 8 > innerHeight ? box.top - offsetHeight - 6 : box.bottom + 6}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={`provenance-${id}`}
        className="inline-flex h-7 items-center rounded-chip border border-line px-2 hover:border-line-strong"
      >
        <span className="sr-only">Where it comes from: {title}. </span>
        <Fresh
          observedAt={Date.parse(meta.observedAt)}
          staleAfter={Date.parse(meta.staleAfter)}
          source={nameOf(meta.source)}
        />
      </button>
      <div
        id={`provenance-${id}`}
        popover="auto"
        onToggle={place}
        className="fixed inset-auto m-0 w-80 max-w-[calc(100vw-1rem)] rounded-card border border-line-strong bg-surface p-4 text-ink floating"
      >
        <p className="text-sm font-semibold">{title}</p>
        <dl className="num mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-xs">
          <Line name="Source">{nameOf(meta.source)}</Line>
          <Line name="Method">{METHODS[meta.method]}</Line>
          <Line name="Observed">{at(meta.observedAt)}</Line>
          <Line name="Fetched">{at(meta.fetchedAt)}</Line>
          <Line name="Stale after">{at(meta.staleAfter)}</Line>
        </dl>
      </div>
    </>
  );
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RANGES: readonly ChartRange[] = ['24h', '7d', '30d', '1y', 'all'];

type CoinDetailProps = { row: CryptoPrice; nameOf: (source: string) => string; onClose: () => void };

export function CoinDetail({ row, nameOf, onClose }: CoinDetailProps) {
  const [range, setRange] = useAddressChoice('range', RANGES);
  const { meta } = withTick(row, useTick(row.id));
  const { ChartCalls } = use(ExpectedRanges) ?? {};
  const all = useExpectedRanges(row.id);
  const now = useNow(MINUTE_MS);
  const ended = all?.filter(({ endsAt }) => endsAt <= now).length;
  // The chart is redrawn only when another range has ended.
  const expected = useMemo(() => all?.slice(ended) ?? [], [all, ended]);
  const isOver = ended !== undefined && ended > 0 && expected.length === 0;
  const symbol = TRACKED.find(({ id }) => id === row.id)?.symbol;
  const [overlay, setOverlay] = useState<ISeriesPrimitive | null>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // A page opened by a link is still settling, and a smooth scroll would end beside the panel.
    const behavior = navigator.userActivation?.hasBeenActive ? 'smooth' : 'instant';
    panel.current?.scrollIntoView?.({ block: 'nearest', behavior });
  }, []);

  return (
    <section ref={panel} aria-label={`${row.name} details`} className="scroll-my-20 p-3 sm:p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="text-lg font-semibold tracking-[-0.01em]">{row.name}</h3>
        <p className="flex items-baseline gap-2.5">
          <span className="num text-lg font-semibold">
            $<LivePrice row={row} />
          </span>
          <LiveChange row={row} className="text-sm" />
        </p>
        <ProvenanceTag id={`price-${row.id}`} title="Price" meta={meta} nameOf={nameOf} />
        <ButtonLink
          kind="outline"
          to={`/app/custom-alerts?coin=${row.id}`}
          className="ml-auto h-8 gap-1.5 px-3 max-sm:h-11"
        >
          <BellPlus className="size-3.5" aria-hidden="true" />
          Set alert
        </ButtonLink>
        <button
          type="button"
          aria-label="Close detail"
          onClick={onClose}
          className="grid size-9 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      <div className="mt-3 grid grid-cols-1 gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 rounded-card border border-line bg-surface">
          <div className="flex flex-wrap items-center gap-3 border-b border-line p-2">
            <Segmented label="Range" value={range} options={RANGES} onChange={setRange} className="capitalize" />
          </div>
          <CoinChart id={row.id} name={row.name} range={range} nameOf={nameOf} expected={expected} overlay={overlay} />
          {ChartCalls && symbol && <ChartCalls symbol={symbol} onDraw={setOverlay} />}
        </div>
        <Facts row={row} nameOf={nameOf} />
      </div>
      {all !== null && !isOver && <Expected ranges={all && expected} />}
      <QuoteTable id={row.id} nameOf={nameOf} />
    </section>
  );
}

const heldText = (name: string, { n, coverage_80 }: Coverage): string =>
  `${name} ${(100 * coverage_80).toFixed(1)}% of ${grouped(n)} times`;

/** The ranges in the chart's fan, and the hit rate of earlier ones. */
function Expected({ ranges }: { ranges: readonly ExpectedRange[] | undefined }) {
  return (
    <section
      aria-label="Expected ranges"
      aria-busy={!ranges}
      className="mt-3 rounded-card border border-line bg-surface px-4 py-3"
    >
      <h4 className="text-sm font-semibold">Expected price ranges</h4>
      {ranges ? <Ranges ranges={ranges} /> : <div className="skel mt-2 h-28" />}
    </section>
  );
}

function Ranges({ ranges }: { ranges: readonly ExpectedRange[] }) {
  const [first] = ranges;
  if (!first) return <p className="label">No range yet: it takes 40 days of price history. Stablecoins have none.</p>;
  const { by, startsAt, issuedAt } = first;
  return (
    <>
      <p className="label num">
        {by}, {issuedAt === startsAt ? 'issued' : 'from the price at'} {dateTime(startsAt)}. On the chart: solid lines
        80%, dotted lines 95%.
        {issuedAt - startsAt > HOUR_MS && ` Issued ${dateTime(issuedAt)}: too late to count in the record.`}
      </p>
      <dl className="num mt-2 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 xl:grid-cols-4">
        {ranges.map(({ by, horizon, range_80, range_95, record, replay }) => (
          <div key={`${by} ${horizon}`}>
            <dt className="label">
              {horizon}
              {horizon === '180d' && ', not yet proven'}
            </dt>
            <dd>
              <span className="block font-medium whitespace-nowrap">{rangeText(range_80)}</span>
              <span className="block text-xs whitespace-nowrap text-ink-2">95%: {rangeText(range_95)}</span>
              {record !== undefined && (
                <span className="block text-xs text-ink-3">
                  {record ? heldText('80% held', record) : 'No range graded yet'}
                </span>
              )}
              {replay && (
                <span className="block text-xs text-ink-3">{heldText('Replay on past days: 80% held', replay)}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const money = (value: number | null): string => (value === null ? 'Not available' : `$${compact(value)}`);

function Facts({ row, nameOf }: Omit<CoinDetailProps, 'onClose'>) {
  const { low_24h: low, high_24h: high } = row;
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface px-4 py-2">
      <dl className="num divide-y divide-line text-sm *:flex *:min-h-10 *:items-center *:justify-between *:gap-4">
        <Fact name="Rank by market cap">{row.rank === null ? 'Not ranked' : `#${row.rank}`}</Fact>
        <Fact name="Market cap">{money(row.market_cap)}</Fact>
        <Fact name="24h volume">{money(row.volume_24h)}</Fact>
        <Fact name="7d change">
          <Change value={row.change_7d} />
        </Fact>
        <Fact name="24h low">{low === null ? 'Not available' : `$${price(low)}`}</Fact>
        <Fact name="24h high">{high === null ? 'Not available' : `$${price(high)}`}</Fact>
      </dl>
      {low !== null && high !== null && (
        <div className="py-3">
          <RangeBar low={low} high={high} value={row.price} />
        </div>
      )}
      <div className="mt-auto flex items-center justify-between gap-2 border-t border-line pt-2">
        <span className="label">Cap, volume, 7d</span>
        <ProvenanceTag
          id={`listing-${row.id}`}
          title="Market cap, volume and 7d change"
          meta={row.listing}
          nameOf={nameOf}
        />
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
