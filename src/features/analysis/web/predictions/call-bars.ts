import type {
  IChartApiBase,
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  Logical,
  SeriesType,
  UTCTimestamp,
} from 'lightweight-charts';
import type { RecordedCall } from '#features/analysis/contract/predictions.ts';

/** An 80% range at the end of its call, and the price then; USD. `price` is null while the call is open. */
export type CallBar = {
  call: RecordedCall;
  end: UTCTimestamp;
  low: number;
  high: number;
  price: number | null;
  state: 'held' | 'missed' | 'open';
};

/** Calls without a range and void ones have no bar. Newest first, as the calls. */
export function toCallBars(calls: readonly RecordedCall[]): CallBar[] {
  return calls.flatMap((call) => {
    const { range_80: range, held_80: held, realised, state } = call;
    if (!range || state === 'void' || (state === 'graded' && (held === null || realised === null))) return [];
    return {
      call,
      end: Math.floor(Date.parse(call.resolves_at) / 1000) as UTCTimestamp,
      ...range,
      price: realised === null ? null : call.price * Math.exp(realised),
      state: held === null ? 'open' : held ? 'held' : 'missed',
    };
  });
}

const [MIN_WIDTH, MAX_WIDTH, REACH] = [2, 9, 8];
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

type Placed = CallBar & { x: number };
type Chart = { chart: IChartApiBase; series: ISeriesApi<SeriesType> };

/** Bars that end within the times of the chart, from left to right. */
function place(bars: readonly CallBar[], { chart }: Chart): Placed[] {
  const scale = chart.timeScale();
  const seen = scale.getVisibleRange();
  if (!seen) return [];
  const [from, to] = [Number(seen.from), Number(seen.to)];
  // The newest call ends within a candle of the last time.
  const slack = (to - from) / 100;
  return bars
    .flatMap((bar) => {
      if (bar.end < from || bar.end > to + slack) return [];
      const index = scale.timeToIndex(bar.end, true);
      const x = index === null ? null : scale.logicalToCoordinate(index as number as Logical);
      return x === null ? [] : [{ ...bar, x }];
    })
    .toSorted((a, b) => a.x - b.x);
}

function drawBar(context: CanvasRenderingContext2D, bar: Placed, width: number, y: (price: number) => number): void {
  const [top, bottom] = [y(bar.high), y(bar.low)];
  const left = bar.x - width / 2;
  context.lineWidth = 1.5;
  context.setLineDash(bar.state === 'open' ? [3, 2] : []);
  context.strokeStyle = token(bar.state === 'missed' ? '--warn' : '--accent');
  context.fillStyle = context.strokeStyle;
  if (bar.state === 'held') {
    context.globalAlpha = 0.3;
    context.fillRect(left, top, width, bottom - top);
    context.globalAlpha = 1;
  } else context.strokeRect(left, top, width, bottom - top);
  if (bar.price === null) return;
  const end = y(bar.price);
  context.beginPath();
  if (bar.state === 'held') {
    context.arc(bar.x, end, Math.min(2.5, 1 + width / 4), 0, 2 * Math.PI);
    context.fill();
    return;
  }
  context.moveTo(bar.x, end < top ? top : bottom);
  context.lineTo(bar.x, end);
  for (const side of [-4, 4]) {
    context.moveTo(bar.x - 4, end - side);
    context.lineTo(bar.x + 4, end + side);
  }
  context.stroke();
}

/** Draws the bars over a price series, and reports the one under the pointer. */
export function callBars(bars: readonly CallBar[], onPoint: (call: CallBar | null) => void): ISeriesPrimitive {
  let on: Chart | undefined;
  let pointed: CallBar | null = null;
  const point = ({ point: at }: { point?: { x: number } }) => {
    const distance = ({ x }: Placed) => (at ? Math.abs(x - at.x) : Infinity);
    const [nearest] = on ? place(bars, on).toSorted((a, b) => distance(a) - distance(b)) : [];
    const next = nearest && distance(nearest) <= REACH ? nearest : null;
    if (next?.call === pointed?.call) return;
    pointed = next;
    onPoint(next);
  };
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        if (!on) return;
        const { series } = on;
        const placed = place(bars, on);
        const ended = placed.filter(({ state }) => state !== 'open');
        const gaps = ended.slice(1).map(({ x }, i) => x - (ended[i]?.x ?? 0));
        const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, 0.6 * Math.min(...gaps)));
        const last = mediaSize.width - width / 2 - 1;
        const y = (price: number) => series.priceToCoordinate(price) ?? 0;
        context.save();
        for (const bar of placed) drawBar(context, { ...bar, x: Math.min(bar.x, last) }, width, y);
        context.restore();
      }),
  };
  const views = [{ zOrder: () => 'top' as const, renderer: () => renderer }];
  return {
    attached: ({ chart, series }) => {
      on = { chart, series };
      chart.subscribeCrosshairMove(point);
    },
    detached: () => {
      on?.chart.unsubscribeCrosshairMove(point);
      on = undefined;
    },
    paneViews: () => views,
    autoscaleInfo: () => {
      const placed = on ? place(bars, on) : [];
      if (placed.length === 0) return null;
      const prices = placed.flatMap(({ low, high, price }) => [low, high, price ?? low]);
      return { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } };
    },
  };
}
