import type { Condition, RuleOptions, ThresholdValue } from '#features/alerts/contract/thresholds.ts';
import { DIRECTION_VALUE, type Direction, findWatched, type Watched } from '#shared/watched.ts';
import { OFF, UNKNOWN } from './legs.ts';
import { checkTimeZone } from './schedule.ts';
import type { CompiledRule, Leg, LegState, RuleState } from './types.ts';

/** A stored rule; a direction's `value` is -1, 0 or 1. */
export type RuleRow = {
  id: number;
  userId: number;
  version?: number;
  metric: string;
  condition: Condition;
  value: number;
  options: RuleOptions;
};

const MINUTE_MS = 60_000;
/**
 * The absolute change over 24h in percent and in daily standard deviations, and the distance beyond the range in
 * percent.
 */
const DERIVED: Partial<Record<Condition, string>> = {
  changes_by: '~change',
  changes_by_sigma: '~sigma',
  leaves_range: '~range',
};
/** Changes fluctuate with the value: they must return by a tenth of the threshold. */
const CHANGE_MARGIN = 0.1;
/** In percent, as for a price. */
const RANGE_MARGIN = 0.2;

/** The series that a condition watches. */
export const seriesName = (metric: string, condition: Condition): string => metric + (DERIVED[condition] ?? '');

export const toNumber = (value: ThresholdValue): number => (typeof value === 'number' ? value : DIRECTION_VALUE[value]);

function directionIn(condition: Condition, value: number): number {
  const named = /^(?:changes_to|becomes)_(\w+)$/.exec(condition)?.[1];
  return named ? DIRECTION_VALUE[named.toUpperCase() as Direction] : value;
}

function directionLeg(series: string, condition: Condition, value: number): Leg {
  const target = directionIn(condition, value);
  const between = (low: number, high: number) => ({ series, low, high, margin: 0 });
  if (condition === 'above') return { ...between(target + 0.5, target + 0.5), kind: 'above' };
  if (condition === 'below') return { ...between(target - 0.5, target - 0.5), kind: 'below' };
  return { ...between(target - 0.5, target + 0.5), kind: 'inside' };
}

/** How far a value must return from the level, in its own unit. */
function resolveMargin({ margin }: Watched, condition: Condition, level: number): number {
  if (condition === 'changes_by' || condition === 'changes_by_sigma') return Math.abs(level) * CHANGE_MARGIN;
  if (condition === 'leaves_range') return RANGE_MARGIN;
  return 'share' in margin ? Math.abs(level) * margin.share : margin.units;
}

/** Compiles the condition of a metric, for any value. */
export function compileLeg(metric: string, condition: Condition, ownMargin: number | null): (value: number) => Leg {
  const watched = findWatched(metric);
  if (!watched) throw new Error(`Nothing watches ${metric}`);
  const series = seriesName(metric, condition);
  if (watched.kind === 'direction') return (value) => directionLeg(series, condition, value);
  const half = 0.5 * 10 ** -watched.decimals;
  return (value) => {
    const margin = ownMargin ?? resolveMargin(watched, condition, value);
    if (condition === 'below') return { series, kind: 'below', low: value, high: value + margin, margin };
    if (condition !== 'equals') return { series, kind: 'above', low: value - margin, high: value, margin };
    return { series, kind: 'touch', low: value - half, high: value + half, margin };
  };
}

export type Shape = Pick<RuleRow, 'metric' | 'condition' | 'options'>;

/** Rules that differ only in owner and value are compiled once. */
export type CompiledShape = {
  series: string[];
  rule: (id: number, userId: number, version: number, value: number) => CompiledRule;
};

export function compileShape({ metric, condition, options }: Shape): CompiledShape {
  const { mode, cooldownMinutes, margin, holdMinutes, and, schedule } = options;
  const first = compileLeg(metric, condition, margin);
  // A margin is in the unit of the first metric: the second uses its default.
  const second = and ? compileLeg(and.metric, and.condition, null)(toNumber(and.value)) : null;
  if (schedule) checkTimeZone(schedule);
  const once = mode === 'once';
  const cooldownMs = cooldownMinutes * MINUTE_MS;
  const holdMs = holdMinutes * MINUTE_MS;
  const expiresAt = options.expiresAt === null ? null : Date.parse(options.expiresAt);
  return {
    series: second ? [seriesName(metric, condition), second.series] : [seriesName(metric, condition)],
    rule(id, userId, version, value) {
      const legs = second ? [first(value), second] : [first(value)];
      return { id, userId, version, legs, once, cooldownMs, holdMs, expiresAt, schedule };
    },
  };
}

export const compileRule = ({ id, userId, version = 1, value, ...shape }: RuleRow): CompiledRule =>
  compileShape(shape).rule(id, userId, version, value);

/** `becomes_x` starts as off, so that it fires at once while x holds; the others start from the current value. */
const firstState = (condition: Condition): LegState => (condition.startsWith('becomes_') ? OFF : UNKNOWN);

/** Initial state of a rule that is new, changed or rearmed. */
export const initialState = ({ condition, options }: Pick<RuleRow, 'condition' | 'options'>): RuleState => ({
  first: firstState(condition),
  second: options.and ? firstState(options.and.condition) : UNKNOWN,
  pendingSince: null,
  lastFiredAt: null,
  done: false,
});
