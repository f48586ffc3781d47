import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Candle, ChartRange } from '#features/market/contract/market.ts';
import { dateTime, price } from '#shared/format.ts';
import { CallError } from '#ui/api/client.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Change } from '#ui/change.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import type { AreaChart } from './area-chart.ts';
import { candlesQuery } from './queries.ts';
import { ticks } from './tick-store.ts';

type Props = { id: string; name: string; range: ChartRange; nameOf: (source: string) => string };

const HEIGHT = 'h-[17.5rem]';

export function CoinChart({ id, name, range, nameOf }: Props) {
  const candles = useQuery(candlesQuery(id, range));
  if (candles.error instanceof CallError && candles.error.code === 'upgrade_required')
    return <BeyondPlan words={candles.error.message} />;
  return (
    <div className="flex min-h-[19.75rem] flex-col">
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
            <Empty title="History is being collected" note="The chart appears by itself as soon as it is here." />
          ) : (
            <Empty title="No history for this range" note="None of the sources has given it." />
          )
        }
      >
        {({ candles: bars, history, meta }) => (
          <>
            <Canvas id={id} label={`${name}, ${range}, closing prices`} candles={bars} daily={range === '1y'} />
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

function Canvas({
  id,
  label,
  candles,
  daily,
}: {
  id: string;
  label: string;
  candles: readonly Candle[];
  daily: boolean;
}) {
  const host = useRef<HTMLElement>(null);
  const chart = useRef<AreaChart>(null);
  const data = useRef(candles);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    data.current = candles;
    chart.current?.show(candles);
  }, [candles]);

  useEffect(() => {
    let gone = false;
    const draw = async () => {
      const { areaChart } = await import('./area-chart.ts');
      if (gone || !host.current) return;
      chart.current = areaChart(host.current, daily);
      chart.current.show(data.current);
    };
    draw().catch(() => setFailed(true));
    const stop = ticks.subscribe(id, () => {
      const tick = ticks.get(id);
      if (tick) chart.current?.live(tick.price, tick.at);
    });
    return () => {
      gone = true;
      stop();
      chart.current?.close();
      chart.current = null;
    };
  }, [id, daily]);

  if (failed) return <Empty title="The chart could not be drawn" />;
  return <figure ref={host} aria-label={label} className={`${HEIGHT} px-1 pt-2`} />;
}
