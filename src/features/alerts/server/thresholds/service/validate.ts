import {
  type Condition,
  hasRange,
  type ParsedThreshold,
  type RuleOptions,
  type Schedule,
  type ThresholdValue,
} from '#features/alerts/contract/thresholds.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { AppError } from '#kernel/errors.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import {
  DIRECTION_CONDITIONS,
  DIRECTION_VALUE,
  type Direction,
  findWatched,
  NUMBER_CONDITIONS,
  type Watched,
} from '#shared/watched.ts';
import { findLimits, HAS_NO_SIGMA, isWithin } from '#shared/watched-limits.ts';

import type { StoredRule } from '../store/rules.ts';

export type RuleCheckContext = { now: Date; isTracked: (coinId: string) => boolean };
type ConditionInput = { metric: string; condition: Condition; value: ThresholdValue };

const reject = (message: string): never => {
  throw new AppError('bad_request', message);
};

const WORDS: Record<string, string> = {
  above: 'above',
  below: 'below',
  equals: 'equals',
  changes_by: 'changes by',
  changes_by_sigma: 'changes by N σ',
  leaves_range: 'leaves its 24h range',
};
const conditionText = (condition: Condition): string => WORDS[condition] ?? condition.replaceAll('_', ' ');

function getWatched(metric: string, { isTracked }: RuleCheckContext): Watched {
  const watched = findWatched(metric) ?? reject(`Unknown metric "${metric}"`);
  if (metric.startsWith(COIN_PREFIX) && !isTracked(metric.slice(COIN_PREFIX.length)))
    reject(`Meridian does not track the coin "${metric.slice(COIN_PREFIX.length)}"`);
  return watched;
}

/** Validates a condition, with messages specific to its metric. */
function checkCondition({ metric, condition, value }: ConditionInput, context: RuleCheckContext): Watched {
  const watched = getWatched(metric, context);
  const allowed: readonly string[] = watched.kind === 'number' ? NUMBER_CONDITIONS : DIRECTION_CONDITIONS;
  const isUnknown =
    (condition === 'changes_by_sigma' && HAS_NO_SIGMA.includes(metric)) ||
    (condition === 'leaves_range' && !hasRange(metric));
  if (!allowed.includes(condition) || isUnknown)
    reject(`"${conditionText(condition)}" is not available for ${watched.name}`);
  if (watched.kind === 'direction') {
    const isNamed = condition.startsWith('changes_to_') || condition.startsWith('becomes_');
    if (!isNamed && typeof value !== 'string') reject(`Please choose BULLISH, NEUTRAL or BEARISH for ${watched.name}`);
    return watched;
  }
  const limits = findLimits(metric, condition);
  if (typeof value !== 'number' || !limits || !isWithin(value, limits))
    reject(`Please enter ${limits?.words} for ${watched.name}`);
  return watched;
}

function checkMargin({ metric, condition, value }: ConditionInput, margin: number, watched: Watched): void {
  if (watched.kind === 'direction') reject('Margins do not apply to AI alerts');
  const limits = findLimits(metric, condition);
  // The level of a flow or distance may be zero: its margin is bounded only by the whole range.
  const limit = limits && (limits.from < 0 || condition === 'leaves_range') ? limits.to : Number(value);
  if (!Number.isFinite(margin) || margin >= limit) reject('The margin must be smaller than the value');
}

function checkTimeZone({ timeZone }: Schedule): void {
  try {
    Intl.DateTimeFormat('en-US', { timeZone });
  } catch {
    reject(`Unknown time zone "${timeZone}"`);
  }
}

/** Throws the exact sentence for an invalid rule. */
export function checkRule(input: ParsedThreshold, context: RuleCheckContext): void {
  const watched = checkCondition(input, context);
  const { options } = input;
  if (!options) return;
  if (options.margin !== null) checkMargin(input, options.margin, watched);
  if (options.expiresAt && Date.parse(options.expiresAt) <= context.now.getTime())
    reject('The expiry is in the past. Please choose a later time.');
  if (options.and) {
    try {
      checkCondition(options.and, context);
    } catch (error) {
      if (error instanceof AppError) reject(`Second condition: ${error.message}`);
      throw error;
    }
  }
  if (options.schedule) checkTimeZone(options.schedule);
}

/** The meaning of a rule: changing it resets the rule. Directions are −1, 0 and 1. */
export type Meaning = {
  metric: string;
  condition: Condition;
  value: number;
  enabled: boolean;
  options: RuleOptions;
};

/** One entry of a user's list. Without an id it is new; `isFresh` resets its state even with the same meaning. */
export type Entry = {
  id: number | null;
  name: string;
  description: string;
  icon: string | null;
  meaning: Meaning;
  isFresh?: true;
};

const DEFAULT_OPTIONS: RuleOptions = {
  mode: 'every',
  cooldownMinutes: 15,
  margin: null,
  holdMinutes: 0,
  expiresAt: null,
  and: null,
  schedule: null,
};

const NAMED_DIRECTION = /^(?:changes_to|becomes)_(bullish|bearish|neutral)$/;

/** `changes_to_x` and `becomes_x` include the direction in their name. */
export function toNumber(condition: Condition, value: ThresholdValue): number {
  const named = NAMED_DIRECTION.exec(condition)?.[1]?.toUpperCase() as Direction | undefined;
  const target = named ?? value;
  return typeof target === 'number' ? target : DIRECTION_VALUE[target];
}

/** In the format of the API and the interface. */
export function toThresholdValue(metric: string, value: number): ThresholdValue {
  if (findWatched(metric)?.kind !== 'direction') return value;
  return value < 0 ? 'BEARISH' : value > 0 ? 'BULLISH' : 'NEUTRAL';
}

function normalizeOptions({ expiresAt, and, schedule, ...rest }: RuleOptions): RuleOptions {
  return {
    ...rest,
    expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    and: and && { ...and, value: toThresholdValue(and.metric, toNumber(and.condition, and.value)) },
    schedule: schedule && { ...schedule, days: [...new Set(schedule.days)].toSorted((a, b) => a - b) },
  };
}

export const parseEntry = ({
  id,
  name,
  description,
  icon,
  metric,
  condition,
  value,
  enabled,
  options,
}: ParsedThreshold): Entry => ({
  id: id ?? null,
  name,
  description,
  icon: icon ?? null,
  meaning: {
    metric,
    condition,
    value: toNumber(condition, value),
    enabled,
    options: options ? normalizeOptions(options) : DEFAULT_OPTIONS,
  },
});

export const toMeaning = ({ metric, condition, value, enabled, options }: StoredRule): Meaning => ({
  metric,
  condition,
  value,
  enabled,
  options: { ...DEFAULT_OPTIONS, ...options },
});

/** A stored rule as a list entry. */
export const toEntry = (rule: StoredRule): Entry => ({
  id: rule.id,
  name: rule.name,
  description: rule.description,
  icon: rule.icon,
  meaning: toMeaning(rule),
});

export const hasSameMeaning = (a: Meaning, b: Meaning): boolean => canonicalJson(a) === canonicalJson(b);
