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
  NUMBER_CONDITIONS,
  type Watched,
  watchedOf,
} from '#shared/watched.ts';
import { HAS_NO_SIGMA, isWithin, limitsOf } from '#shared/watched-limits.ts';

import type { StoredRule } from '../store/rules.ts';

export type Known = { now: Date; isTracked: (coinId: string) => boolean };
type Asked = { metric: string; condition: Condition; value: ThresholdValue };

const refuse = (message: string): never => {
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
const wordsOf = (condition: Condition): string => WORDS[condition] ?? condition.replaceAll('_', ' ');

function watchedIn(metric: string, { isTracked }: Known): Watched {
  const watched = watchedOf(metric) ?? refuse(`Unknown metric "${metric}"`);
  if (metric.startsWith(COIN_PREFIX) && !isTracked(metric.slice(COIN_PREFIX.length)))
    refuse(`Meridian does not track the coin "${metric.slice(COIN_PREFIX.length)}"`);
  return watched;
}

/** Validates a condition, with messages specific to its metric. */
function checkCondition({ metric, condition, value }: Asked, known: Known): Watched {
  const watched = watchedIn(metric, known);
  const fitting: readonly string[] = watched.kind === 'number' ? NUMBER_CONDITIONS : DIRECTION_CONDITIONS;
  const isUnknown =
    (condition === 'changes_by_sigma' && HAS_NO_SIGMA.includes(metric)) ||
    (condition === 'leaves_range' && !hasRange(metric));
  if (!fitting.includes(condition) || isUnknown) refuse(`"${wordsOf(condition)}" is not available for ${watched.name}`);
  if (watched.kind === 'direction') {
    const isNamed = condition.startsWith('changes_to_') || condition.startsWith('becomes_');
    if (!isNamed && typeof value !== 'string') refuse(`Please choose BULLISH, NEUTRAL or BEARISH for ${watched.name}`);
    return watched;
  }
  const limits = limitsOf(metric, condition);
  if (typeof value !== 'number' || !limits || !isWithin(value, limits))
    refuse(`Please enter ${limits?.words} for ${watched.name}`);
  return watched;
}

function checkMargin({ metric, condition, value }: Asked, margin: number, watched: Watched): void {
  if (watched.kind === 'direction') refuse('Margins do not apply to AI alerts');
  const limits = limitsOf(metric, condition);
  // The level of a flow or distance may be zero: its margin is bounded only by the whole range.
  const most = limits && (limits.from < 0 || condition === 'leaves_range') ? limits.to : Number(value);
  if (!Number.isFinite(margin) || margin >= most) refuse('The margin must be smaller than the value');
}

function checkTimeZone({ timeZone }: Schedule): void {
  try {
    Intl.DateTimeFormat('en-US', { timeZone });
  } catch {
    refuse(`Unknown time zone "${timeZone}"`);
  }
}

/** Throws the exact sentence for an invalid rule. */
export function checkRule(asked: ParsedThreshold, known: Known): void {
  const watched = checkCondition(asked, known);
  const { options } = asked;
  if (!options) return;
  if (options.margin !== null) checkMargin(asked, options.margin, watched);
  if (options.expiresAt && Date.parse(options.expiresAt) <= known.now.getTime())
    refuse('The expiry is in the past. Please choose a later time.');
  if (options.and) {
    try {
      checkCondition(options.and, known);
    } catch (error) {
      if (error instanceof AppError) refuse(`Second condition: ${error.message}`);
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

const PLAIN: RuleOptions = {
  mode: 'every',
  cooldownMinutes: 15,
  margin: null,
  holdMinutes: 0,
  expiresAt: null,
  and: null,
  schedule: null,
};

const NAMED = /^(?:changes_to|becomes)_(bullish|bearish|neutral)$/;

/** `changes_to_x` and `becomes_x` include the direction in their name. */
export function numberOf(condition: Condition, value: ThresholdValue): number {
  const named = NAMED.exec(condition)?.[1]?.toUpperCase() as Direction | undefined;
  const meant = named ?? value;
  return typeof meant === 'number' ? meant : DIRECTION_VALUE[meant];
}

/** In the format of the API and the interface. */
export function valueOf(metric: string, value: number): ThresholdValue {
  if (watchedOf(metric)?.kind !== 'direction') return value;
  return value < 0 ? 'BEARISH' : value > 0 ? 'BULLISH' : 'NEUTRAL';
}

function optionsOf({ expiresAt, and, schedule, ...rest }: RuleOptions): RuleOptions {
  return {
    ...rest,
    expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    and: and && { ...and, value: valueOf(and.metric, numberOf(and.condition, and.value)) },
    schedule: schedule && { ...schedule, days: [...new Set(schedule.days)].toSorted((a, b) => a - b) },
  };
}

export const entryOf = ({
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
    value: numberOf(condition, value),
    enabled,
    options: options ? optionsOf(options) : PLAIN,
  },
});

export const meaningOf = ({ metric, condition, value, enabled, options }: StoredRule): Meaning => ({
  metric,
  condition,
  value,
  enabled,
  options: { ...PLAIN, ...options },
});

/** A stored rule as a list entry. */
export const placeOf = (rule: StoredRule): Entry => ({
  id: rule.id,
  name: rule.name,
  description: rule.description,
  icon: rule.icon,
  meaning: meaningOf(rule),
});

export const saysTheSame = (a: Meaning, b: Meaning): boolean => canonicalJson(a) === canonicalJson(b);
