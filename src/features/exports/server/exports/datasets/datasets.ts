import { ADVANCED_TYPES, BASIC_TYPES, type ExportType } from '#features/exports/contract/exports.ts';
import {
  alertPages,
  type Bars,
  barPages,
  coinsBeingLoaded,
  countAlerts,
  countBars,
  countObservations,
  fearGreedPages,
  marketPages,
  narrativePages,
} from '../store/datasets.ts';
import type { Row, Scope } from '../store/scope.ts';
import { COIN_RANGES, FROZEN, GRADED, OPINIONS } from './analyses.ts';
import { BIRTH, column, type Dataset } from './dataset.ts';

/** By metric name or prefix, more specific ones first; see features/metrics. */
const UNITS: readonly (readonly [beginning: string, unit: string])[] = [
  ['market.', 'USD'],
  ['dominance.', '%'],
  ['stablecoins.', 'USD'],
  ['ssr', 'ratio'],
  ['flow.btc.', 'BTC'],
  ['flow.eth.', 'ETH'],
  ['reserve.btc', 'BTC'],
  ['reserve.eth', 'ETH'],
  ['altcoin_season', '0 to 100'],
  ['oi.', 'USD'],
  ['venue.oi.', 'USD'],
  ['funding.', '% per 8h'],
  ['venue.funding.', '% per 8h'],
  ['liquidations.', 'USD'],
  ['venue.liquidations.', 'USD'],
  ['whales.', 'transfers'],
  ['venue.whales.', 'transfers'],
  ['hash_rate', 'H/s'],
  ['addresses.', 'addresses'],
  ['macro.us', '%'],
  ['macro.fed_funds', '%'],
  ['macro.oil_wti', 'USD per barrel'],
  ['macro.', 'index'],
];
const ENDINGS: readonly (readonly [ending: string, unit: string])[] = [
  ['.tps', 'transactions per second'],
  ['.addresses', 'addresses'],
];

/** Null for a metric without a unit, such as Bitcoin difficulty. */
const metricUnit = (metric: string): string | null =>
  UNITS.find(([beginning]) => metric.startsWith(beginning))?.[1] ??
  ENDINGS.find(([ending]) => metric.endsWith(ending))?.[1] ??
  null;

const OBSERVED = column('observed_at', 'Observed', 'time', 'UTC');
const percent = (name: string, title: string) => column(name, title, 'number', '%');
const number = (name: string, title: string, unit?: string) => column(name, title, 'number', unit);

const withUnit = (row: Row): Row => ({ ...row, unit: metricUnit(String(row['metric'])) });

const MARKET: Dataset = {
  name: 'market_data',
  title: 'Market data',
  grain: 'one metric from one source at one time',
  observed: 'observed_at',
  columns: [
    OBSERVED,
    column('metric', 'Metric'),
    number('value', 'Value'),
    column('unit', 'Unit'),
    column('terms', 'Components'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countObservations(db, 'market', scope, most),
  async *pages(db, scope) {
    for await (const rows of marketPages(db, scope)) yield rows.map(withUnit);
  },
};

const FEAR_GREED: Dataset = {
  name: 'fear_greed',
  title: 'Fear and greed',
  grain: 'one index reading',
  observed: 'observed_at',
  columns: [OBSERVED, number('value', 'Value', '0 to 100'), column('classification', 'Classification'), ...BIRTH],
  count: (db, scope, most) => countObservations(db, 'fear_greed', scope, most),
  pages: fearGreedPages,
};

const NARRATIVES: Dataset = {
  name: 'narratives',
  title: 'Narratives',
  grain: 'one reading of one narrative',
  observed: 'observed_at',
  columns: [
    OBSERVED,
    column('narrative', 'Narrative'),
    column('name', 'Name'),
    number('total_volume_24h', '24h volume', 'USD'),
    percent('avg_change_24h', '24h change, cap-weighted'),
    number('market_cap', 'Market cap', 'USD'),
    percent('market_cap_change_24h', '24h market cap change'),
    number('trending', 'Trending rank'),
    number('relative_sigma', 'Move vs. the market', 'standard deviations'),
    number('volume_share', 'Share of market volume', '0 to 1'),
    number('volume_z', 'Abnormal volume', 'standard deviations'),
    number('breadth', 'Share of coins rising', '0 to 1'),
    number('volatility', 'Annualized volatility', '1 = 100%'),
    column('coins', 'Largest coins'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countObservations(db, 'narratives', scope, most),
  pages: narrativePages,
};

const DAY_MS = 86_400_000;
const HOURS_UP_TO_DAYS = 90;
const MAX_NAMED = 12;

const GRAINS: Record<Bars, string> = {
  candles_1m: 'one coin per 5 minutes',
  candles_1h: 'one coin per hour',
  candles_1d: 'one coin per day',
};

/** Five minutes for a day within minute retention, hours up to ninety days, days beyond. */
function barsFor({ from, to }: Pick<Scope, 'from' | 'to'>, now: Date, minuteDays: number): Bars {
  if (from === null) return 'candles_1d';
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  if (days <= 1 && now.getTime() - Date.parse(from) <= minuteDays * DAY_MS) return 'candles_1m';
  return days <= HOURS_UP_TO_DAYS ? 'candles_1h' : 'candles_1d';
}

const usd = (name: string, title: string) => column(name, title, 'number', 'USD');

const pricesDataset = (bars: Bars): Dataset => ({
  name: 'crypto_prices',
  title: 'Crypto prices',
  grain: GRAINS[bars],
  observed: 'at',
  columns: [
    column('at', 'Start', 'time', 'UTC'),
    column('symbol', 'Symbol'),
    column('name', 'Name'),
    column('coin', 'Coin'),
    usd('open', 'Open'),
    usd('high', 'High'),
    usd('low', 'Low'),
    usd('close', 'Close'),
    usd('volume', 'Volume'),
    column('minutes', 'Minutes covered', 'number', 'minutes'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countBars(db, bars, scope, most),
  pages: (db, scope) => barPages(db, bars, scope),
  async incomplete(db) {
    const symbols = await coinsBeingLoaded(db);
    if (symbols.length === 0) return null;
    const [named, more] = [symbols.slice(0, MAX_NAMED).join(', '), symbols.length - MAX_NAMED];
    return `Crypto prices: history still loading for ${named}${more > 0 ? ` and ${more} more coins` : ''}. A later export will include more rows.`;
  },
});

const ALERTS: Dataset = {
  name: 'alerts',
  title: 'Alerts',
  grain: 'one alert',
  observed: 'observed_at',
  columns: [
    column('id', 'Alert', 'number'),
    column('raised_at', 'Raised', 'time', 'UTC'),
    column('type', 'Type'),
    column('severity', 'Severity'),
    column('message', 'Message'),
    column('metric', 'Metric'),
    column('value', 'Value', 'number'),
    column('own_rule', 'Custom rule', 'boolean'),
    column('rule_id', 'Rule', 'number'),
    column('event_id', 'Event', 'number'),
    column('event_date', 'Event date', 'time', 'UTC'),
    column('acknowledged', 'Acknowledged', 'boolean'),
    column('observed_at', 'Observed', 'time', 'UTC'),
    column('evaluated_at', 'Evaluated', 'time', 'UTC'),
    ...BIRTH,
  ],
  count: countAlerts,
  pages: alertPages,
};

export const TYPE_NAMES: Record<ExportType, string> = {
  crypto_prices: 'Crypto prices',
  market_data: 'Market data',
  ai_analysis: 'AI analysis',
  fear_greed: 'Fear and greed',
  narratives: 'Narratives',
  alerts: 'Alerts',
  backtest_results: 'Backtest results',
  all_data: 'All data',
};

export type Asked = {
  dataTypes: readonly ExportType[];
  /** Whether it is for the basic page, where 'all_data' covers only the basic types. */
  basic: boolean;
  scope: Scope;
  now: Date;
  /** Retention of minute prices in days. */
  minuteDays: number;
};

/** The tables of an export, each once. */
export function selectDatasets({ dataTypes, basic, scope, now, minuteDays }: Asked): Dataset[] {
  const all: readonly ExportType[] = basic ? BASIC_TYPES : ADVANCED_TYPES;
  const kinds = dataTypes.includes('all_data') ? all : dataTypes;
  const tables: Record<ExportType, () => Dataset[]> = {
    crypto_prices: () => [pricesDataset(barsFor(scope, now, minuteDays))],
    market_data: () => [MARKET],
    fear_greed: () => [FEAR_GREED],
    narratives: () => [NARRATIVES],
    ai_analysis: () => [OPINIONS, FROZEN, COIN_RANGES],
    alerts: () => [ALERTS],
    backtest_results: () => [GRADED],
    all_data: () => [],
  };
  return [...new Set(kinds)].flatMap((kind) => tables[kind]());
}
