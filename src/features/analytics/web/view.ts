import type { Asset, ChartType } from '#features/analytics/contract.ts';
import { INTERVAL_WORDS } from '#features/analytics/names.ts';
import { type ChartInterval, TRACKED } from '#features/market/contract/market.ts';
import { grouped } from '#shared/format.ts';
import type { Tone } from '#ui/badge.tsx';
import { writeTexts } from '#ui/search-params.ts';

export type { Asset, ChartType };
export type Timeframe = ChartInterval;

/** State of the chart, stored in the URL. */
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

const parseOption = <T extends string>(options: readonly T[], value: string | null): T | undefined =>
  options.find((option) => option === value);

/** Missing or invalid parameters use the defaults. */
export function parseView(params: URLSearchParams): View {
  const shown = parseOption(ASSET_ORDER, params.get('asset')) ?? DEFAULT.asset;
  const other = parseOption(ASSET_ORDER, params.get('compare')) ?? null;
  return {
    asset: shown,
    timeframe: parseOption(TIMEFRAME_ORDER, params.get('timeframe')) ?? DEFAULT.timeframe,
    chartType: parseOption(TYPE_ORDER, params.get('type')) ?? DEFAULT.chartType,
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
export const toCoinId = (symbol: Asset): string => TRACKED.find((coin) => coin.symbol === symbol)?.id ?? symbol;

/** The same symbol and interval on a site with drawing tools. */
export const outsideChart = ({ asset: symbol, timeframe }: Pick<View, 'asset' | 'timeframe'>): string =>
  `https://www.tradingview.com/chart/?${new URLSearchParams({ symbol: `COINBASE:${symbol}USD`, interval: timeframe })}`;

const MINUS = '\u2212';

/** With a true minus, so that columns align. */
export const ratio = (value: number, decimals = 2): string =>
  `${value < 0 && Number(value.toFixed(decimals)) !== 0 ? MINUS : ''}${Math.abs(value).toFixed(decimals)}`;

export const rate = (value: number): string => `${ratio(value, 4)}%`;

/** Thresholds of the fear and greed colours. */
export const SENTIMENT_STOPS = [25, 55, 75] as const;
const SENTIMENT_TONES = ['text-down', 'text-warn', 'text-accent', 'text-up'] as const;
export const sentimentTone = (value: number): (typeof SENTIMENT_TONES)[number] =>
  SENTIMENT_TONES[SENTIMENT_STOPS.filter((stop) => value >= stop).length] ?? 'text-up';

export const VOLATILITY_TONES: Readonly<Record<'High' | 'Medium' | 'Low', Tone>> = {
  High: 'down',
  Medium: 'warn',
  Low: 'plain',
};

const METRICS: Readonly<Record<string, readonly [name: string, glossary: string]>> = {
  whale_transactions: ['Whale transactions, 24h', 'whales.count'],
  hash_rate: ['Hash rate', 'hash_rate'],
  active_addresses: ['Active addresses', 'addresses.btc.active'],
};

const plain = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');
export const metricName = (type: string): string => METRICS[type]?.[0] ?? plain(type);
export const metricTerm = (type: string): string => METRICS[type]?.[1] ?? type;
export const networkName = plain;

/** As the page writes it: 1.14e21 H/s is 1.14 ZH/s. */
export function onchainText(type: string, value: number): string {
  if (type !== 'hash_rate') return grouped(value);
  return value >= 1e21 ? `${(value / 1e21).toFixed(2)} ZH/s` : `${(value / 1e18).toFixed(1)} EH/s`;
}
