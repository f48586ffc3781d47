import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { compact, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { Empty } from '#ui/states.tsx';

import { type Bar, barName, isBar, type Mark, type Slot, withPrice } from './bars.ts';
import type { Drawing, Picture } from './drawing.ts';
import { ASSETS, type Asset, type Timeframe, toCoinId } from './view.ts';

/** Reports price updates of a coin, starting with the current one, until the returned function is called. */
export type Watch = (coinId: string, listener: (price: number, atMs: number) => void) => () => void;

export type Handle = Pick<Drawing, 'zoom' | 'newest'>;

type ChartCanvasProps = {
  asset: Asset;
  other: Asset | null;
  timeframe: Timeframe;
  picture: Picture;
  label: string;
  watch: Watch;
  handle: RefObject<Handle | null>;
  /** Time of the bar under the crosshair; null without one. */
  onLook: (time: number | null) => void;
  /** The last bar, whenever a price updates it. */
  onLive: (bar: Bar) => void;
};

const lastBar = (slots: readonly Slot[] | null): Bar | undefined => slots?.findLast(isBar);

export function ChartCanvas({
  asset,
  other,
  timeframe,
  picture,
  label,
  watch,
  handle,
  onLook,
  onLive,
}: ChartCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const shown = useRef(picture);
  const last = useRef<Bar | undefined>(undefined);
  const lastOther = useRef<Bar | undefined>(undefined);
  const [failed, setFailed] = useState(false);
  const [ready, setReady] = useState(false);

  useImperativeHandle(handle, () => ({
    zoom: (factor) => drawing.current?.zoom(factor),
    newest: () => drawing.current?.newest(),
  }));

  useEffect(() => {
    let isUnmounted = false;
    const draw = async () => {
      const { drawChart } = await import('./drawing.ts');
      if (isUnmounted || !host.current) return;
      drawing.current = drawChart(host.current, { timeframe, onLook });
      setReady(true);
    };
    draw().catch(() => setFailed(true));
    return () => {
      isUnmounted = true;
      drawing.current?.close();
      drawing.current = null;
      setReady(false);
    };
  }, [timeframe, onLook]);

  useEffect(() => {
    shown.current = picture;
    if (!ready) return undefined;
    drawing.current?.show(picture);
    last.current = lastBar(picture.slots);
    lastOther.current = lastBar(picture.other);
    const follow = (known: RefObject<Bar | undefined>, tell: (bar: Bar) => void) => (price: number, atMs: number) => {
      const next = known.current && withPrice(known.current, timeframe, price, atMs);
      if (!next) return;
      known.current = next;
      tell(next);
    };
    const stops = [
      watch(
        toCoinId(asset),
        follow(last, (bar) => {
          drawing.current?.live(bar);
          onLive(bar);
        }),
      ),
    ];
    if (other)
      stops.push(
        watch(
          toCoinId(other),
          follow(lastOther, (bar) => drawing.current?.liveOther(bar)),
        ),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [ready, picture, asset, other, timeframe, watch, onLive]);

  const onKey = (event: KeyboardEvent) => {
    const acts: Record<string, () => void> = {
      ArrowLeft: () => drawing.current?.step(-1),
      ArrowRight: () => drawing.current?.step(1),
      '+': () => drawing.current?.zoom(1.5),
      '-': () => drawing.current?.zoom(1 / 1.5),
      End: () => drawing.current?.newest(),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  if (failed) return <Empty title="Couldn’t draw the chart" note="The table of bars below is available." />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the arrow keys read it bar by bar
    <div ref={host} role="group" aria-label={label} tabIndex={0} onKeyDown={onKey} className="absolute inset-0" />
  );
}

type ChartLegendProps = {
  asset: Asset;
  timeframe: Timeframe;
  bar: Bar | undefined;
  /** The close of the previous bar, if any. */
  before: number | undefined;
  other: { asset: Asset; bar: Bar | undefined } | null;
  marks: readonly Mark[];
};

/** The values of the bar under the crosshair, else of the last one. */
export function ChartLegend({ asset, timeframe, bar, before, other, marks }: ChartLegendProps) {
  return (
    <div className="num min-h-14 px-4 pt-2 text-xs text-ink-2">
      {bar && (
        <dl aria-label="Values of the bar" className="flex flex-wrap gap-x-3 gap-y-1">
          <div className="flex gap-1">
            <dt className="sr-only">Time</dt>
            <dd className="font-medium text-ink">
              {asset} · {barName(timeframe, bar.time)}
            </dd>
          </div>
          {(
            [
              ['O', 'Open', bar.open],
              ['H', 'High', bar.high],
              ['L', 'Low', bar.low],
              ['C', 'Close', bar.close],
            ] as const
          ).map(([letter, name, value]) => (
            <div key={letter} className="flex gap-1">
              <dt className="text-ink-3">
                <span title={name}>{letter}</span>
              </dt>
              <dd className="font-medium">{price(value)}</dd>
            </div>
          ))}
          <div className="flex gap-1">
            <dt className="sr-only">Change</dt>
            <dd className="font-medium">
              <Change value={before ? (bar.close / before - 1) * 100 : null} className="text-xs" />
            </dd>
          </div>
          <div className="flex gap-1">
            <dt className="text-ink-3">
              <span title="Volume in USD">Vol</span>
            </dt>
            <dd className="font-medium">{bar.volume === null ? '–' : compact(bar.volume, 1)}</dd>
          </div>
          {other?.bar && (
            <div className="flex gap-1">
              <dt className="text-warn">{ASSETS[other.asset]}</dt>
              <dd className="font-medium">{price(other.bar.close)}</dd>
            </div>
          )}
        </dl>
      )}
      {marks.length > 0 && <p className="mt-1 truncate">{marks.map(({ title }) => title).join(' · ')}</p>}
    </div>
  );
}
