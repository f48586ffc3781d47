/** Values by UTC day, oldest first. */
export type DailySeries = readonly { day: string; value: number }[];

/** Everything the built-in analyst reads, by names of stored metrics; closes in USD of days that are over. */
export type Past = { closes: DailySeries; metrics: ReadonlyMap<string, DailySeries> };

const DAY_MS = 86_400_000;
/** A series is compared with its own last days; fewer of them say nothing. */
const COMPARED_DAYS = 90;
const LEAST_DAYS = 30;
const SPAN = 3;

export type FeatureName =
  | 'momentum_7d'
  | 'momentum_28d'
  | 'volatility'
  | 'funding'
  | 'open_interest'
  | 'exchange_flow'
  | 'fear_greed'
  | 'rates';

export type Feature = {
  name: FeatureName;
  about: string;
  metric: string | null;
  /** The value as people read it. */
  show: (raw: number) => string;
};

const percent = (raw: number) => `${raw.toFixed(1)} %`;
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

/** Each in standard deviations of its own past, cut at ±3; zero where the past is too short. */
export const FEATURES: readonly Feature[] = [
  { name: 'momentum_7d', about: '7-day momentum', metric: null, show: percent },
  { name: 'momentum_28d', about: '28-day momentum', metric: null, show: percent },
  {
    name: 'volatility',
    about: 'Volatility against its half-year',
    metric: null,
    show: (raw) => `${raw.toFixed(0)} % a year`,
  },
  { name: 'funding', about: 'Funding rate', metric: 'funding.market', show: (raw) => `${raw.toFixed(4)} % per 8 h` },
  {
    name: 'open_interest',
    about: 'Open interest, 7-day change',
    metric: 'oi.total',
    show: (raw) => `$${compact.format(raw)}`,
  },
  {
    name: 'exchange_flow',
    about: 'Bitcoin exchange netflow',
    metric: 'flow.btc.net',
    show: (raw) => `${compact.format(raw)} BTC`,
  },
  { name: 'fear_greed', about: 'Fear and greed', metric: 'fear_greed', show: (raw) => raw.toFixed(0) },
  {
    name: 'rates',
    about: 'US 10-year yield, 7-day change',
    metric: 'macro.us10y',
    show: (raw) => `${raw.toFixed(2)} points`,
  },
];

export const FEATURE_METRICS: readonly string[] = FEATURES.flatMap(({ metric }) => metric ?? []);

export type Reading = {
  /** Standardised, in the order of FEATURES. */
  row: Float64Array;
  /** As people know them: percent, index points, coins; null where not known. */
  raw: (number | null)[];
};

const clamp = (value: number) => Math.max(-SPAN, Math.min(SPAN, value));

function deviation(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
  return { mean, sd };
}

/** The reading of every day of an asset's closes, by day. */
export function readingsOf(past: Past): Map<string, Reading> {
  const at = along(past);
  return new Map(past.closes.map(({ day }, i) => [day, at(i)]));
}

/** The reading of the newest day that is over. */
export const newestReading = (past: Past): Reading | undefined =>
  past.closes.length > 0 ? along(past)(past.closes.length - 1) : undefined;

/** The series of one asset and the market laid along the days of its closes. */
function along({ closes, metrics }: Past): (i: number) => Reading {
  const prices = closes.map(({ value }) => value);
  const returns = prices.map((price, i) => (i === 0 ? Number.NaN : Math.log(price / (prices[i - 1] ?? price))));
  const laid = new Map(FEATURE_METRICS.map((name) => [name, onDays(metrics.get(name) ?? [], closes)]));
  return (i) => readingAt(i, prices, returns, laid);
}

/** The newest value known at the end of each day, three days old at most; NaN where there is none. */
function onDays(series: DailySeries, days: DailySeries): number[] {
  let next = 0;
  return days.map(({ day }) => {
    while ((series[next]?.day ?? '~') <= day) next += 1;
    const last = series[next - 1];
    return last && (last.day === day || Date.parse(day) - Date.parse(last.day) <= 3 * DAY_MS) ? last.value : Number.NaN;
  });
}

function readingAt(
  i: number,
  prices: readonly number[],
  returns: readonly number[],
  laid: ReadonlyMap<string, number[]>,
): Reading {
  const window = (days: number) => returns.slice(Math.max(1, i - days + 1), i + 1);
  const month = window(30);
  const sd = month.length >= 20 ? deviation(month).sd : Number.NaN;
  const halfYear = window(180);
  const longSd = halfYear.length >= 60 ? deviation(halfYear).sd : Number.NaN;
  const momentum = (days: number): [number, number | null] => {
    const before = prices[i - days];
    if (before === undefined) return [0, null];
    const change = Math.log((prices[i] ?? before) / before);
    return [sd > 0 ? clamp(change / (sd * Math.sqrt(days))) : 0, (Math.exp(change) - 1) * 100];
  };
  const level = (metric: string): [number, number | null] => against(laid.get(metric) ?? [], i, 0);
  const change = (metric: string): [number, number | null] => against(laid.get(metric) ?? [], i, 7);
  const volatility: [number, number | null] =
    sd > 0 && longSd > 0 ? [clamp(2 * Math.log(sd / longSd)), sd * Math.sqrt(365) * 100] : [0, null];
  const parts = [
    momentum(7),
    momentum(28),
    volatility,
    level('funding.market'),
    change('oi.total'),
    level('flow.btc.net'),
    level('fear_greed'),
    change('macro.us10y'),
  ];
  return { row: Float64Array.from(parts, ([value]) => value), raw: parts.map(([, raw]) => raw) };
}

/** A value, or its change over `lag` days, against the 90 days before it. */
function against(values: readonly number[], i: number, lag: number): [number, number | null] {
  const at = (k: number) => (lag === 0 ? values[k] : (values[k] ?? Number.NaN) - (values[k - lag] ?? Number.NaN));
  const now = at(i) ?? Number.NaN;
  if (!Number.isFinite(now)) return [0, null];
  const past: number[] = [];
  for (let k = Math.max(0, i - COMPARED_DAYS); k < i; k++) {
    const value = at(k) ?? Number.NaN;
    if (Number.isFinite(value)) past.push(value);
  }
  if (past.length < LEAST_DAYS) return [0, now];
  const { mean, sd } = deviation(past);
  return [sd > 0 ? clamp((now - mean) / sd) : 0, now];
}
