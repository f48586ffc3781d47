import type { Condition } from '#features/thresholds/contract.ts';
import { COIN_PREFIX, directionOf, type Watched, watchedOf } from '#shared/watched.ts';
import { numberOf, seriesOf } from '../engine/compile.ts';
import type { Tick } from '../engine/types.ts';
import type { WrittenRule } from './store.ts';

/** Making a format takes a hundred times as long as using it. */
const formats = new Map<string, Intl.NumberFormat>();
function formatOf(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most });
  formats.set(key, format);
  return format;
}
const number = (value: number, decimals: number) => formatOf(0, decimals).format(value);
/** As it came: 65,012.40. */
const shown = (value: number, decimals: number) => formatOf(decimals, decimals).format(value);
const word = (value: number) => directionOf(value).toLowerCase();

function holds(watched: Watched, condition: Condition, value: number, now: number | undefined): string {
  const { decimals, kind } = watched;
  if (kind === 'direction') {
    const is = now === undefined ? '' : ` (${word(now)})`;
    if (condition === 'above') return `is more bullish than ${word(value)}${is}`;
    if (condition === 'below') return `is more bearish than ${word(value)}${is}`;
    return `is ${now === undefined ? word(value) : word(now)}`;
  }
  const at = (digits: number, unit = '') => (now === undefined ? '' : ` (${shown(now, digits)}${unit})`);
  if (condition === 'changes_by') return `has changed by ${number(value, 2)}% or more in 24 h${at(2, '%')}`;
  if (condition === 'changes_by_sigma') return `has moved ${number(value, 2)}σ or more in 24 h${at(2, 'σ')}`;
  const level = number(value, Math.max(decimals, 6));
  if (condition === 'equals') return `has reached ${level}${at(decimals)}`;
  return `is ${condition} ${level}${at(decimals)}`;
}

/** `BTC breakout: Bitcoin price is above 65,000 (65,012.40)` */
export function sentence(
  rule: WrittenRule,
  seen: readonly Tick[],
  coinName: (id: string) => string | undefined,
): string {
  const part = (metric: string, condition: Condition, value: number): string => {
    const watched = watchedOf(metric);
    if (!watched) return metric;
    const coin = metric.startsWith(COIN_PREFIX) ? coinName(metric.slice(COIN_PREFIX.length)) : undefined;
    const series = seriesOf(metric, condition);
    const now = seen.find((tick) => tick.series === series)?.value;
    return `${coin === undefined ? watched.name : `${coin} price`} ${holds(watched, condition, value, now)}`;
  };
  const { and } = rule.options;
  const second = and ? ` and ${part(and.metric, and.condition, numberOf(and.value))}` : '';
  return `${rule.name}: ${part(rule.metric, rule.condition, rule.value)}${second}`;
}
