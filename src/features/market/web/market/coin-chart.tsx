import { useQuery } from '@tanstack/react-query';
import type { ISeriesPrimitive } from 'lightweight-charts';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Candle, ChartRange } from '#features/market/contract/market.ts';
import { compact, dateTime, price } from '#shared/format.ts';
import { CallError } from '#ui/api/client.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Change } from '#ui/change.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { buildFan, type FanPoint } from './fan.ts';
import type { PriceChart } from './price-chart.ts';
import { candlesQuery } from './queries.ts';
import { ticks } from './tick-store.ts';
import type { ExpectedRange } from './use-expected-ranges.ts';

type Props = {
  id: string;
  name: string;
  range: ChartRange;
  nameOf: (source: string) => string;
  /** Of this coin. */
  expected: readonly ExpectedRange[];
  /** Drawn over the prices. */
  overlay: ISeriesPrimitive | null;
};

const DAY_MS = 86_400_000;
/** The longest horizon on each chart: candles need the space. */
const AHEAD_DAYS: Record<ChartRange, number> = { '24h': 1, '7d': 1, '30d': 7, '1y': 28, all: 28 };
/** Where a chart ends before its longest horizon does. */
const FARTHEST_MS: Partial<Record<ChartRange, number>> = { '24h': DAY_MS / 3 };
/** An overlay on the prices needs the space. */
const OVERLAID_DAYS = 7;

const MINUTE_MS = 60_000;
const CANDLE_MS: Record<ChartRange, number> = {
  '24h': 5 * MINUTE_MS,
  '7d': 60 * MINUTE_MS,
  '30d': 240 * MINUTE_MS,
  '1y': DAY_MS,
  all: DAY_MS,
};

/** Horizons within range, with a point for each candle of the chart. */
function fanBeside(expected: readonly ExpectedRange[], range: ChartRange, longest: number): FanPoint[] {
  const within = expected.filter(
    ({ startsAt, endsAt }) => endsAt - startsAt <= Math.min(longest, AHEAD_DAYS[range]) * DAY_MS,
  );
  const ends = within.map(({ startsAt, endsAt }) =>
    Math.min(endsAt, startsAt + (FARTHEST_MS[range] ?? DAY_MS * longest)),
  );
  return buildFan(within, Math.max(0, ...ends), CANDLE_MS[range]);
}

const HEIGHT = 'h-[17.5rem]';

export function CoinChart({ id, name, range, nameOf, expected, overlay }: Props) {
  const candles = useQuery(candlesQuery(id, range));
  if (candles.error instanceof CallError && candles.error.code === 'upgrade_required')
    return <BeyondPlan words={candles.error.message} />;
  return (
    <div className="flex min-h-[23rem] flex-col sm:min-h-[19.75rem]">
      <QueryView
        query={candles}
        loading={
          <output aria-label="Loading chart" className="block p-3">
            <div className={`skel ${HEIGHT}`} />
          </output>
        }
        failed="Failed to load the chart"
        isEmpty={(reply) => reply.candles.length < 2}
        empty={
          candles.data?.history === 'loading' ? (
            <Empty title="History is being collected" note="The chart appears automatically once it is ready." />
          ) : (
            <Empty title="No history for this range" note="No source has provided it." />
          )
        }
      >
        {({ candles: bars, history, meta }) => (
          <>
            <Canvas id={id} name={name} candles={bars} expected={expected} range={range} overlay={overlay} />
            <Summary
              candles={bars}
              note={history === 'loading' ? 'History is being collected' : meta && nameOf(meta.source)}
            />
          </>
        )}
      </QueryView>
    </div>
  );
}

const BeyondPlan = ({ words }: { words: string }) => (
  <div className="grid min-h-[19.75rem] place-items-center px-4 py-10 text-center">
    <div>
      <p className="font-medium">{words}</p>
      <ButtonLink to="/app/subscription" className="mt-3 h-9 px-3">
        Upgrade to Pro
      </ButtonLink>
    </div>
  </div>
);

function Summary({ candles, note }: { candles: readonly Candle[]; note: string | null }) {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return null;
  const low = Math.min(...candles.map((c) => c.low));
  const high = Math.max(...candles.map((c) => c.high));
  return (
    <p className="num flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-2.5 text-2xs text-ink-3">
      <Change value={(last.close / first.open - 1) * 100} className="text-2xs" />
      <span>Low ${price(low)}</span>
      <span>High ${price(high)}</span>
      <span className="sm:ml-auto">
        Since {dateTime(Date.parse(first.at))}
        {note ? ` · ${note}` : ''}
      </span>
    </p>
  );
}

/** The candle under the crosshair, or the newest one. */
function Legend({ candle, daily }: { candle: Candle | undefined; daily: boolean }) {
  if (!candle) return null;
  const { at, open, high, low, close, volume } = candle;
  const time = dateTime(Date.parse(at));
  return (
    <p className="num flex flex-wrap gap-x-3 px-3 pt-2 text-2xs text-ink-2">
      <span>{daily ? time.slice(0, time.indexOf(',')) : time.replace(/:\d\d UTC$/, ' UTC')}</span>
      <span>O {price(open)}</span>
      <span>H {price(high)}</span>
      <span>L {price(low)}</span>
      <span>C {price(close)}</span>
      <Change value={(close / open - 1) * 100} className="text-2xs" />
      <span>Vol {volume === null ? '–' : `$${compact(volume)}`}</span>
    </p>
  );
}

function Canvas({
  id,
  name,
  candles,
  expected,
  range,
  overlay,
}: Pick<Props, 'id' | 'name' | 'expected' | 'range' | 'overlay'> & { candles: readonly Candle[] }) {
  const host = useRef<HTMLElement>(null);
  const chart = useRef<PriceChart>(null);
  const longest = overlay ? OVERLAID_DAYS : AHEAD_DAYS[range];
  const fan = useMemo(() => fanBeside(expected, range, longest), [expected, range, longest]);
  const daily = CANDLE_MS[range] === DAY_MS;
  const [hovered, setHovered] = useState<Candle | null>(null);
  const data = useRef({ candles, fan, overlay });
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    Object.assign(data.current, { candles, fan });
    chart.current?.show(candles, fan);
  }, [candles, fan]);

  useEffect(() => {
    data.current.overlay = overlay;
    chart.current?.overlay(overlay);
  }, [overlay]);

  useEffect(() => {
    let isUnmounted = false;
    const draw = async () => {
      const { priceChart } = await import('./price-chart.ts');
      if (isUnmounted || !host.current) return;
      chart.current = priceChart(host.current, daily, setHovered);
      chart.current.show(data.current.candles, data.current.fan);
      chart.current.overlay(data.current.overlay);
    };
    draw().catch(() => setFailed(true));
    const stop = ticks.subscribe(id, () => {
      const tick = ticks.get(id);
      if (tick) chart.current?.live(tick.price, tick.at);
    });
    return () => {
      isUnmounted = true;
      stop();
      chart.current?.close();
      chart.current = null;
    };
  }, [id, daily]);

  if (failed) return <Empty title="Couldn’t draw the chart" />;
  return (
    <>
      <Legend candle={hovered ?? candles.at(-1)} daily={daily} />
      <figure
        ref={host}
        aria-label={`${name}, ${range}, candles and volume${fan.length > 0 ? ', expected ranges' : ''}`}
        className={`${HEIGHT} px-1`}
      />
    </>
  );
}
