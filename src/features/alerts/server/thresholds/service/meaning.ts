import type { Condition, ParsedThreshold, RuleOptions, ThresholdValue } from '#features/alerts/contract/thresholds.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { DIRECTION_VALUE, type Direction, watchedOf } from '#shared/watched.ts';
import type { StoredRule } from '../store/rules.ts';

/** The meaning of a rule: changing it resets the rule. Directions are −1, 0 and 1. */
export type Meaning = {
  metric: string;
  condition: Condition;
  value: number;
  enabled: boolean;
  options: RuleOptions;
};

/** One place of a person's list. Without an id it is new; `isFresh` makes its state new though it says the same. */
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

/** What `changes_to_x` and `becomes_x` compare with is in their name. */
export function numberOf(condition: Condition, value: ThresholdValue): number {
  const named = NAMED.exec(condition)?.[1]?.toUpperCase() as Direction | undefined;
  const meant = named ?? value;
  return typeof meant === 'number' ? meant : DIRECTION_VALUE[meant];
}

/** As people and the wire write it. */
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

/** What is stored, as a place of the list. */
export const placeOf = (rule: StoredRule): Entry => ({
  id: rule.id,
  name: rule.name,
  description: rule.description,
  icon: rule.icon,
  meaning: meaningOf(rule),
});

export const saysTheSame = (a: Meaning, b: Meaning): boolean => canonicalJson(a) === canonicalJson(b);
