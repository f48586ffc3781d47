import {
  AreaSeries,
  createChart,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '#features/market/contract/market.ts';
import { price } from '#shared/format.ts';
import { markChart } from '#ui/chart-mark.ts';
import type { FanPoint } from './fan.ts';

export type AreaChart = {
  /** The fan reaches beyond the last candle. */
  show: (candles: readonly Candle[], fan: readonly FanPoint[]) => void;
  live: (price: number, at: number) => void;
  /** Replaces what is drawn over the prices. */
  overlay: (next: ISeriesPrimitive | null) => void;
  close: () => void;
};

/** The chart library reads rgb only; a canvas pixel turns any CSS colour into it. */
function rgb(token: string, alpha = 1): string {
  const context = document.createElement('canvas').getContext('2d', { colorSpace: 'srgb' });
  if (!context) return '#888888';
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return `rgba(${r},${g},${b},${alpha})`;
}

const seconds = (ms: number) => Math.floor(ms / 1000) as UTCTimestamp;

export function areaChart(host: HTMLElement, daily: boolean): AreaChart {
  const chart = createChart(host, {
    autoSize: true,
    layout: { attributionLogo: false },
    localization: { priceFormatter: price, locale: 'en-US' },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.08 } },
    timeScale: { borderVisible: false, timeVisible: !daily, fixLeftEdge: true, fixRightEdge: true },
    handleScroll: false,
    handleScale: false,
  });
  markChart(chart.chartElement());
  const series = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineStyle: LineStyle.Dashed });
  const plain = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false };
  const ends = [LineStyle.Dotted, LineStyle.Solid, LineStyle.Solid, LineStyle.Dotted].map((lineStyle) =>
    chart.addSeries(LineSeries, { ...plain, lineStyle, lineWidth: 1 }),
  );
  let drawn: ISeriesPrimitive | null = null;
  let last: { time: UTCTimestamp; rising: boolean } | undefined;

  const paint = () => {
    const [ink, line] = [rgb('--ink-3'), rgb('--line')];
    const tone = last?.rising === false ? '--down' : '--up';
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
    series.applyOptions({
      lineColor: rgb(tone),
      topColor: rgb(tone, 0.2),
      bottomColor: rgb(tone, 0),
      priceLineColor: ink,
    });
    for (const end of ends) end.applyOptions({ color: rgb('--accent') });
  };
  // The first size arrives after the data, and a fit to no width would leave the newest bars outside.
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent());
  const theme = new MutationObserver(paint);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] });

  return {
    show: (candles, fan) => {
      const [first, newest] = [candles[0], candles.at(-1)];
      if (!first || !newest) return;
      last = { time: seconds(Date.parse(newest.at)), rising: newest.close >= first.open };
      paint();
      series.setData(candles.map(({ at, close }) => ({ time: seconds(Date.parse(at)), value: close })));
      for (const [i, end] of ends.entries())
        end.setData(fan.map(({ at, ends: values }) => ({ time: seconds(at), value: values[i] as number })));
      chart.timeScale().fitContent();
    },
    live: (value, at) => {
      if (last && seconds(at) >= last.time) series.update({ time: last.time, value });
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
