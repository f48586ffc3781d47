import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '#features/market/contract/market.ts';
import { price } from '#shared/format.ts';
import { markChart } from '#ui/chart-mark.ts';
import type { FanPoint } from './fan.ts';

export type PriceChart = {
  /** The fan extends beyond the last candle. */
  show: (candles: readonly Candle[], fan: readonly FanPoint[]) => void;
  live: (price: number, at: number) => void;
  /** Replaces the overlay on the prices. */
  overlay: (next: ISeriesPrimitive | null) => void;
  close: () => void;
};

/** The chart library only parses rgb; a canvas pixel converts any CSS colour. */
function rgb(token: string, alpha = 1): string {
  const context = document.createElement('canvas').getContext('2d', { colorSpace: 'srgb' });
  if (!context) return '#888888';
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${r},${g},${b},${alpha})`;
}

const seconds = (ms: number) => Math.floor(ms / 1000) as UTCTimestamp;

/** Candles with volume below. `onHover` gets the candle under the crosshair, null outside. */
export function priceChart(host: HTMLElement, daily: boolean, onHover: (candle: Candle | null) => void): PriceChart {
  const chart = createChart(host, {
    autoSize: true,
    layout: { attributionLogo: false },
    localization: { priceFormatter: price, locale: 'en-US' },
    rightPriceScale: { borderVisible: false, minimumWidth: 80 },
    timeScale: { borderVisible: false, timeVisible: !daily, fixLeftEdge: true, fixRightEdge: true },
    handleScroll: false,
    handleScale: false,
  });
  markChart(chart.chartElement());
  const series = chart.addSeries(CandlestickSeries, { borderVisible: false, priceLineStyle: LineStyle.Dashed });
  const plain = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false };
  const ends = [LineStyle.Dotted, LineStyle.Solid, LineStyle.Solid, LineStyle.Dotted].map((lineStyle) =>
    chart.addSeries(LineSeries, { ...plain, lineStyle, lineWidth: 1 }),
  );
  const volume = chart.addSeries(HistogramSeries, { ...plain, priceScaleId: 'volume' });
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  let shown: readonly Candle[] = [];
  chart.subscribeCrosshairMove(({ time, point }) =>
    onHover((point && shown.find(({ at }) => seconds(Date.parse(at)) === time)) ?? null),
  );
  let drawn: ISeriesPrimitive | null = null;
  let last: { time: UTCTimestamp; open: number; high: number; low: number } | undefined;

  const paint = () => {
    const [ink, line] = [rgb('--ink-3'), rgb('--line')];
    const [up, down] = [rgb('--up'), rgb('--down')];
    chart.applyOptions({
      layout: {
        background: { color: rgb('--surface') },
        textColor: ink,
        fontFamily: 'Geist, sans-serif',
        fontSize: 11,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      crosshair: {
        vertLine: { color: ink, labelBackgroundColor: ink },
        horzLine: { color: ink, labelBackgroundColor: ink },
      },
    });
    series.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, priceLineColor: ink });
    const [upSoft, downSoft] = [rgb('--up', 0.3), rgb('--down', 0.3)];
    volume.setData(
      shown.flatMap(({ at, open, close, volume: value }) =>
        value === null ? [] : [{ time: seconds(Date.parse(at)), value, color: close < open ? downSoft : upSoft }],
      ),
    );
    for (const end of ends) end.applyOptions({ color: rgb('--accent') });
  };
  // The first size arrives after the data, and fitting to zero width would leave the newest bars outside.
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent());
  const theme = new MutationObserver(paint);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] });

  return {
    show: (candles, fan) => {
      const newest = candles.at(-1);
      if (!newest) return;
      shown = candles;
      const { at, open, high, low } = newest;
      last = { time: seconds(Date.parse(at)), open, high, low };
      const hasVolume = candles.some(({ volume: value }) => value !== null);
      series.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: hasVolume ? 0.2 : 0.08 } });
      paint();
      series.setData(
        candles.map(({ at, open, high, low, close }) => ({ time: seconds(Date.parse(at)), open, high, low, close })),
      );
      for (const [i, end] of ends.entries())
        end.setData(fan.map(({ at, ends: values }) => ({ time: seconds(at), value: values[i] as number })));
      chart.timeScale().fitContent();
    },
    live: (value, at) => {
      if (!last || seconds(at) < last.time) return;
      last = { ...last, high: Math.max(last.high, value), low: Math.min(last.low, value) };
      series.update({ ...last, close: value });
    },
    overlay: (next) => {
      if (drawn) series.detachPrimitive(drawn);
      drawn = next;
      if (next) series.attachPrimitive(next);
    },
    close: () => {
      theme.disconnect();
      chart.remove();
    },
  };
}
