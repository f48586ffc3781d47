import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type MouseEventParams,
  PriceScaleMode,
  type SeriesMarker,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { compact, percent, price } from '#shared/format.ts';
import { markChart } from '#ui/chart-mark.ts';

import { type Bar, barName, isBar, type Mark, type Slot } from './bars.ts';
import type { ChartType, Timeframe } from './view.ts';

/** The page's current colours. The chart library only parses rgb; a canvas pixel converts any CSS colour. */
function coloursNow() {
  const context = document.createElement('canvas').getContext('2d', { colorSpace: 'srgb', willReadFrequently: true });
  if (!context) throw new Error('This browser does not support charts');
  const tokens = getComputedStyle(document.documentElement);
  const pixel = (token: string, alpha = 1): string => {
    context.fillStyle = tokens.getPropertyValue(token);
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return `rgba(${r},${g},${b},${alpha})`;
  };
  return {
    ink: pixel('--ink-3'),
    label: pixel('--ink-2'),
    line: pixel('--line'),
    surface: pixel('--surface'),
    up: pixel('--up'),
    upSoft: pixel('--up', 0.3),
    down: pixel('--down'),
    downSoft: pixel('--down', 0.3),
    accent: pixel('--accent'),
    accentSoft: pixel('--accent', 0.25),
    warn: pixel('--warn'),
  };
}

/** Content of the chart. */
export type Picture = {
  chartType: ChartType;
  slots: readonly Slot[];
  /** With a second asset, both are drawn in percent of the first visible bar. */
  other: readonly Slot[] | null;
  marks: ReadonlyMap<number, readonly Mark[]>;
};

export type Drawing = {
  show: (picture: Picture) => void;
  live: (bar: Bar) => void;
  liveOther: (bar: Bar) => void;
  zoom: (factor: number) => void;
  /** Steps the crosshair along the bars. */
  step: (bars: number) => void;
  newest: () => void;
  close: () => void;
};

type Options = { timeframe: Timeframe; onLook: (time: number | null) => void };

const BAR_WIDTH = 8;
const ROOM_AT_END = 4;
const VOLUME_TOP = 0.84;
const NOTHING = 'rgba(0,0,0,0)';

const at = (time: number) => time as UTCTimestamp;
const isIntraday = (timeframe: Timeframe) => /\d/.test(timeframe);
const rises = (bar: Bar) => bar.close >= bar.open;

/** A line bridges empty slots unless the bridging segment has no colour. */
function toPoints(slots: readonly Slot[], chartType: ChartType) {
  if (chartType === 'candlestick' || chartType === 'bar')
    return slots.map((slot) =>
      isBar(slot)
        ? { time: at(slot.time), open: slot.open, high: slot.high, low: slot.low, close: slot.close }
        : { time: at(slot.time) },
    );
  const hidden =
    chartType === 'line' ? { color: NOTHING } : { lineColor: NOTHING, topColor: NOTHING, bottomColor: NOTHING };
  return slots.map((slot, i) => {
    if (!isBar(slot)) return { time: at(slot.time) };
    const next = slots[i + 1];
    return { time: at(slot.time), value: slot.close, ...(next && !isBar(next) ? hidden : {}) };
  });
}

/** Draws in the colours of the page, and redraws when they change. */
export function drawChart(host: HTMLElement, { timeframe, onLook }: Options): Drawing {
  // Read first: the library would only do so when it paints.
  let colours = coloursNow();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const chart: IChartApi = createChart(host, {
    autoSize: true,
    layout: { attributionLogo: false },
    localization: {
      locale: 'en-US',
      priceFormatter: price,
      percentageFormatter: (value: number) => percent(value),
      timeFormatter: (time: Time) => barName(timeframe, time as number),
    },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: { borderVisible: false, minimumWidth: 80, scaleMargins: { top: 0.08, bottom: 0.2 } },
    timeScale: { borderVisible: false, timeVisible: isIntraday(timeframe), rightOffset: ROOM_AT_END },
    kineticScroll: { touch: !still, mouse: false },
    // Wheel and vertical touch gestures scroll the page.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });
  markChart(chart.chartElement());
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'custom', formatter: (value: number) => compact(value, 1), minMove: 1 },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volume.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });

  let picture: Picture = { chartType: 'candlestick', slots: [], other: null, marks: new Map() };
  let main = addMain(picture.chartType);
  let markers = createSeriesMarkers(main, []);
  let other: ISeriesApi<'Line'> | null = null;
  let looked: number | null = null;

  function addMain(chartType: ChartType): ISeriesApi<SeriesType> {
    const line = { priceLineStyle: LineStyle.Dashed } as const;
    if (chartType === 'candlestick') return chart.addSeries(CandlestickSeries, line);
    if (chartType === 'bar') return chart.addSeries(BarSeries, line);
    return chartType === 'line'
      ? chart.addSeries(LineSeries, { ...line, lineWidth: 2 })
      : chart.addSeries(AreaSeries, { ...line, lineWidth: 2 });
  }

  const toVolume = (slot: Slot) =>
    isBar(slot) && slot.volume !== null
      ? { time: at(slot.time), value: slot.volume, color: rises(slot) ? colours.upSoft : colours.downSoft }
      : { time: at(slot.time) };

  function paint(): void {
    colours = coloursNow();
    const { ink, line, surface, up, down, accent, accentSoft, warn } = colours;
    const label = { color: ink, labelBackgroundColor: colours.label };
    chart.applyOptions({
      layout: {
        background: { color: surface },
        textColor: ink,
        fontFamily: 'Geist, sans-serif',
        fontSize: 11,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      crosshair: { vertLine: label, horzLine: label },
    });
    main.applyOptions(
      {
        candlestick: {
          upColor: surface,
          borderUpColor: up,
          wickUpColor: up,
          downColor: down,
          borderDownColor: down,
          wickDownColor: down,
        },
        bar: { upColor: up, downColor: down },
        line: { color: accent, priceLineColor: ink },
        area: { lineColor: accent, topColor: accentSoft, bottomColor: NOTHING, priceLineColor: ink },
      }[picture.chartType],
    );
    other?.applyOptions({ color: warn });
    volume.setData(picture.slots.map(toVolume));
    markers.setMarkers(toMarkers());
  }

  function toMarkers(): SeriesMarker<Time>[] {
    const tones = { high: colours.down, medium: colours.warn, low: colours.ink };
    return [...picture.marks].map(([time, marks]) => {
      const level =
        (['high', 'medium', 'low'] as const).find((one) => marks.some((mark) => mark.level === one)) ?? 'low';
      return {
        time: at(time),
        position: 'aboveBar',
        shape: 'circle',
        color: tones[level],
        ...(marks.length > 1 ? { text: String(marks.length) } : {}),
      };
    });
  }

  function newest(): void {
    const shown = Math.max(20, Math.floor(host.clientWidth / BAR_WIDTH));
    const count = picture.slots.length;
    chart.timeScale().setVisibleLogicalRange({ from: count - shown, to: count + ROOM_AT_END });
  }

  function look(time: number | null): void {
    looked = time;
    onLook(time);
  }
  const moved = ({ time }: MouseEventParams) => look(typeof time === 'number' ? time : null);
  chart.subscribeCrosshairMove(moved);
  const theme = new MutationObserver(paint);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-palette'] });
  let isPlaced = false;
  // The first size may arrive after the data.
  const sized = () => {
    if (isPlaced || host.clientWidth === 0 || picture.slots.length === 0) return;
    isPlaced = true;
    newest();
  };
  chart.timeScale().subscribeSizeChange(sized);

  return {
    show: (next) => {
      if (next.chartType !== picture.chartType) {
        chart.removeSeries(main);
        main = addMain(next.chartType);
        markers = createSeriesMarkers(main, []);
      }
      picture = next;
      main.setData(toPoints(next.slots, next.chartType));
      if (next.other && !other) other = chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false });
      else if (!next.other && other) {
        chart.removeSeries(other);
        other = null;
      }
      other?.setData(toPoints(next.other ?? [], 'line'));
      chart.priceScale('right').applyOptions({ mode: next.other ? PriceScaleMode.Percentage : PriceScaleMode.Normal });
      paint();
      sized();
    },
    live: (bar) => {
      const [point] = toPoints([bar], picture.chartType);
      if (point) main.update(point);
      volume.update(toVolume(bar));
    },
    liveOther: (bar) => other?.update({ time: at(bar.time), value: bar.close }),
    zoom: (factor) => {
      const range = chart.timeScale().getVisibleLogicalRange();
      if (!range) return;
      const span = Math.max(10, (range.to - range.from) / factor);
      chart.timeScale().setVisibleLogicalRange({ from: range.to - span, to: range.to });
    },
    step: (bars) => {
      const all = picture.slots.filter(isBar);
      const from = looked === null ? all.length - 1 - bars : all.findIndex(({ time }) => time === looked);
      const bar = all[Math.max(0, Math.min(all.length - 1, from + bars))];
      if (!bar) return;
      chart.setCrosshairPosition(bar.close, at(bar.time), main);
      look(bar.time);
    },
    newest,
    close: () => {
      theme.disconnect();
      chart.remove();
    },
  };
}
