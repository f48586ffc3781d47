import {
  type Condition,
  hasRange,
  type RuleState,
  type Threshold,
  type ThresholdValue,
} from '#features/alerts/contract/thresholds.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { DIRECTION_CONDITIONS, findWatched, NUMBER_CONDITIONS, WATCHED, type WatchedMetric } from '#shared/watched.ts';
import { HAS_NO_SIGMA } from '#shared/watched-limits.ts';
import { type Measure, measureText } from './numbers.ts';

/** A coin whose price can be watched. */
export type Coin = { id: string; symbol: string; name: string; price: number };

export const METRIC_GROUPS: readonly (readonly [name: string, metrics: readonly WatchedMetric[]])[] = [
  ['Prices', ['btc_price', 'eth_price', 'sol_price']],
  ['Crypto market', ['ssr', 'btc_dominance', 'exchange_flow', 'fear_greed', 'volume_24h']],
  ['Macro', ['vix', 'dxy']],
  ['AI predictions', ['ai_prediction_short', 'ai_prediction_medium', 'ai_prediction_long', 'ai_prediction_overall']],
];

export const CONDITION_WORDS: Readonly<Record<Condition, string>> = {
  above: 'Above',
  below: 'Below',
  equals: 'Equals',
  changes_by: 'Changes by, in 24h',
  changes_by_sigma: 'Changes by N σ, in 24h',
  leaves_range: 'Leaves its 24h range',
  changes_to_bullish: 'Changes to bullish',
  changes_to_bearish: 'Changes to bearish',
  changes_to_neutral: 'Changes to neutral',
  becomes_bullish: 'Becomes bullish',
  becomes_bearish: 'Becomes bearish',
  becomes_neutral: 'Becomes neutral',
};

const STATE_WORDS: Readonly<Record<RuleState, string>> = {
  armed: 'Armed',
  pending: 'Pending',
  fired: 'Fired',
  paused: 'Paused',
  done: 'Done',
  expired: 'Expired',
  no_data: 'No data',
  off: 'Off',
};

/** A rule whose condition held when it was saved has not fired because of it. */
export const stateWord = ({ state, lastFiredAt }: Pick<Threshold, 'state' | 'lastFiredAt'>): string =>
  state === 'fired' && lastFiredAt === null ? 'Holds' : STATE_WORDS[state];

/** Glossary term of a watched metric. */
const TERMS: Readonly<Record<string, string>> = {
  ssr: 'ssr',
  fear_greed: 'fear_greed',
  btc_dominance: 'dominance.btc',
  volume_24h: 'market.volume',
  btc_price: 'coin.price',
  eth_price: 'coin.price',
  sol_price: 'coin.price',
};

export const glossaryTerm = (metric: string): string => TERMS[metric] ?? (isCoin(metric) ? 'coin.price' : metric);

export const isCoin = (metric: string): boolean => metric.startsWith(COIN_PREFIX);
export const isPrice = (metric: string): boolean => isCoin(metric) || metric.endsWith('_price');
export const isDirection = (metric: string): boolean => findWatched(metric)?.kind === 'direction';

export const availableConditions = (metric: string): readonly Condition[] =>
  isDirection(metric)
    ? DIRECTION_CONDITIONS
    : NUMBER_CONDITIONS.filter((each) => {
        if (each === 'leaves_range') return hasRange(metric);
        return each !== 'changes_by_sigma' || !HAS_NO_SIGMA.includes(metric);
      });

/** Direction in a condition's name. */
export const namedDirection = (condition: Condition) => {
  const name = /_(bullish|bearish|neutral)$/.exec(condition)?.[1]?.toUpperCase();
  return name as 'BULLISH' | 'BEARISH' | 'NEUTRAL' | undefined;
};

/** The condition compares the metric's change, or its distance beyond its range. */
export const watchesChange = (condition: Condition): boolean =>
  condition.startsWith('changes_by') || condition === 'leaves_range';

export function findMeasure(metric: string, condition: Condition): Measure {
  if (condition === 'changes_by' || condition === 'leaves_range') return { unit: '%', decimals: 2, signed: false };
  if (condition === 'changes_by_sigma') return { unit: 'σ', decimals: 2, signed: false };
  const { unit, decimals } = findWatched(metric) ?? { unit: 'index' as const, decimals: 2 };
  return { unit, decimals, signed: metric === 'exchange_flow' };
}

/** The unit shown beside the value. */
export function conditionUnit(metric: string, condition: Condition): string {
  const { unit } = findMeasure(metric, condition);
  return unit === 'direction' || unit === 'index' || unit === 'ratio' ? '' : unit;
}

export function metricName(metric: string, coins: readonly Coin[]): string {
  if (!isCoin(metric)) return WATCHED[metric as WatchedMetric]?.name ?? metric;
  const id = metric.slice(COIN_PREFIX.length);
  return `${coins.find((coin) => coin.id === id)?.name ?? id} price`;
}

type Said = { metric: string; condition: Condition; value: ThresholdValue };

/** 'Bitcoin price above $105,000' */
export function conditionSentence({ metric, condition, value }: Said, coins: readonly Coin[]): string {
  const name = metricName(metric, coins);
  const direction = namedDirection(condition);
  if (direction)
    return `${name} ${condition.startsWith('becomes') ? 'becomes' : 'changes to'} ${direction.toLowerCase()}`;
  const size =
    typeof value === 'number' && !Number.isFinite(value) ? '…' : measureText(value, findMeasure(metric, condition));
  if (condition === 'leaves_range') return `${name} leaves its 24h range${value === 0 ? '' : ` by ${size}`}`;
  if (watchesChange(condition)) return `${name} changes by ${size} in 24h`;
  return `${name} ${condition} ${size}`;
}
