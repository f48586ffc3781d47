import type { Asset, ChartType } from '#features/analytics/contract.ts';
import { INTERVAL_WORDS } from '#features/analytics/names.ts';
import { type ChartInterval, TRACKED } from '#features/market/contract/market.ts';
import { writeTexts } from '#ui/search-params.ts';

export type { Asset, ChartType };
export type Timeframe = ChartInterval;

/** What the chart shows: all of it stands in the address. */
export type View = {
  asset: Asset;
  timeframe: Timeframe;
  chartType: ChartType;
  compare: Asset | null;
  events: boolean;
};

export const TIMEFRAMES: Readonly<Record<Timeframe, string>> = INTERVAL_WORDS;
export const TIMEFRAME_ORDER = Object.keys(TIMEFRAMES) as Timeframe[];

export const ASSETS: Readonly<Record<Asset, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  SUI: 'Sui',
  XRP: 'Ripple',
};
export const ASSET_ORDER = Object.keys(ASSETS) as Asset[];

const CHART_TYPES: Readonly<Record<ChartType, string>> = {
  candlestick: 'Candlestick',
  bar: 'Bar',
  line: 'Line',
  area: 'Area',
};
const TYPE_ORDER = Object.keys(CHART_TYPES) as ChartType[];
export const typeChoices = TYPE_ORDER.map((type) => [type, CHART_TYPES[type]] as const);

const DEFAULT: View = { asset: 'BTC', timeframe: '60', chartType: 'candlestick', compare: null, events: true };

const oneOf = <T extends string>(options: readonly T[], value: string | null): T | undefined =>
  options.find((option) => option === value);

/** What an address does not name, or names wrongly, is as at first. */
export function parseView(params: URLSearchParams): View {
  const shown = oneOf(ASSET_ORDER, params.get('asset')) ?? DEFAULT.asset;
  const other = oneOf(ASSET_ORDER, params.get('compare')) ?? null;
  return {
    asset: shown,
    timeframe: oneOf(TIMEFRAME_ORDER, params.get('timeframe')) ?? DEFAULT.timeframe,
    chartType: oneOf(TYPE_ORDER, params.get('type')) ?? DEFAULT.chartType,
    compare: other === shown ? null : other,
    events: params.get('events') !== 'off',
  };
}

export const writeView = (params: URLSearchParams, view: View): URLSearchParams =>
  writeTexts(params, {
    asset: view.asset === DEFAULT.asset ? null : view.asset,
    timeframe: view.timeframe === DEFAULT.timeframe ? null : view.timeframe,
    type: view.chartType === DEFAULT.chartType ? null : view.chartType,
    compare: view.compare === view.asset ? null : view.compare,
    events: view.events ? null : 'off',
  });

/** The id under which ticks of an asset arrive. */
export const coinIdOf = (symbol: Asset): string => TRACKED.find((coin) => coin.symbol === symbol)?.id ?? symbol;

/** The same symbol and interval where charts can be drawn on. */
export const outsideChart = ({ asset: symbol, timeframe }: Pick<View, 'asset' | 'timeframe'>): string =>
  `https://www.tradingview.com/chart/?${new URLSearchParams({ symbol: `COINBASE:${symbol}USD`, interval: timeframe })}`;
