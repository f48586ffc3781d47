import {
  type Condition,
  type Threshold,
  type ThresholdInput,
  type ThresholdValue,
} from '#features/alerts/contract/thresholds.ts';
import { DIRECTIONS, type Direction } from '#shared/watched.ts';
import { findLimits, isWithin } from '#shared/watched-limits.ts';
import { availableConditions, conditionUnit, isCoin, isDirection } from './labels.ts';
import { readNumber, writeNumber } from './numbers.ts';

export type ConditionDraft = {
  metric: string;
  condition: Condition;
  /** As typed in the input, or a direction. */
  value: string;
};

export type ScheduleDraft = { days: readonly number[]; from: string; to: string; timeZone: string };

/** A rule being edited: numbers are the typed text. */
export type Draft = ConditionDraft & {
  /** Unchanged when the rule is first saved. */
  key: string;
  id: number | null;
  name: string;
  description: string;
  enabled: boolean;
  icon: string | null;
  mode: 'every' | 'once';
  cooldown: string;
  margin: string;
  hold: string;
  expiresAt: string | null;
  and: ConditionDraft | null;
  schedule: ScheduleDraft | null;
};

export const COOLDOWN_MINUTES = 15;

const valueToText = (value: ThresholdValue): string => (typeof value === 'number' ? writeNumber(value) : value);
const conditionDraft = ({
  metric,
  condition,
  value,
}: {
  metric: string;
  condition: Condition;
  value: ThresholdValue;
}) => ({
  metric,
  condition,
  value: valueToText(value),
});

export function toDraft(rule: Threshold, key: string): Draft {
  const { mode, cooldownMinutes, margin, holdMinutes, expiresAt, and, schedule } = rule.options;
  return {
    ...conditionDraft(rule),
    key,
    id: rule.id,
    name: rule.name,
    description: rule.description,
    enabled: rule.enabled,
    icon: rule.iconChosen ? rule.icon : null,
    mode,
    cooldown: String(cooldownMinutes),
    margin: margin === null ? '' : writeNumber(margin),
    hold: String(holdMinutes),
    expiresAt,
    and: and && conditionDraft(and),
    schedule,
  };
}

export const isDirectionText = (text: string): text is Direction => (DIRECTIONS as readonly string[]).includes(text);

export const toValue = ({ metric, value }: ConditionDraft): ThresholdValue =>
  isDirection(metric) && isDirectionText(value) ? value : readNumber(value);

const toCondition = (draft: ConditionDraft) => ({
  metric: draft.metric,
  condition: draft.condition,
  value: toValue(draft),
});

/** The request for a draft; invalid numbers are NaN. */
export function toInput(draft: Draft): ThresholdInput {
  const { id, name, description, enabled, icon, mode, cooldown, margin, hold, expiresAt, and, schedule } = draft;
  return {
    ...(id === null ? {} : { id }),
    name: name.trim(),
    description: description.trim(),
    ...toCondition(draft),
    enabled,
    icon,
    unit: conditionUnit(draft.metric, draft.condition),
    options: {
      mode,
      cooldownMinutes: readNumber(cooldown),
      margin: isDirection(draft.metric) || margin.trim() === '' ? null : readNumber(margin),
      holdMinutes: hold.trim() === '' ? 0 : readNumber(hold),
      expiresAt,
      and: and && toCondition(and),
      schedule: schedule && { ...schedule, days: [...schedule.days] },
    },
  };
}

/** Whether two drafts would be saved as the same. */
export const sameRule = (one: Draft, other: Draft): boolean =>
  one === other || JSON.stringify(toInput(one)) === JSON.stringify(toInput(other));

export type Field =
  | 'name'
  | 'metric'
  | 'value'
  | 'cooldown'
  | 'margin'
  | 'hold'
  | 'secondMetric'
  | 'secondValue'
  | 'days'
  | 'times';
export type Problems = Partial<Record<Field, string>>;

const WEEK_MINUTES = 10_080;
const isMinutes = (text: string, least: number): boolean => {
  const minutes = readNumber(text);
  return Number.isInteger(minutes) && minutes >= least && minutes <= WEEK_MINUTES;
};
const fitsCondition = ({ metric, condition }: ConditionDraft): boolean =>
  availableConditions(metric).includes(condition);
const lacksCoin = ({ metric }: ConditionDraft): boolean => isCoin(metric) && metric.endsWith(':');

/** Validation of one condition, as on the server. */
function conditionProblem(draft: ConditionDraft): Pick<Problems, 'metric' | 'value'> {
  if (lacksCoin(draft)) return { metric: 'Please choose a coin' };
  if (!fitsCondition(draft)) return { metric: 'This condition is not available for the metric' };
  const value = toValue(draft);
  const limits = findLimits(draft.metric, draft.condition);
  if (typeof value === 'string' || !limits || isWithin(value, limits)) return {};
  return { value: Number.isFinite(value) ? `Please enter ${limits.words}` : 'Please enter a number' };
}

/** Validation errors by field, in the words of the contract. */
export function findProblems(draft: Draft): Problems {
  const { name, cooldown, margin, hold, and, schedule } = draft;
  const problems: Problems = { ...conditionProblem(draft) };
  if (name.trim() === '') problems.name = 'Please name the alert';
  if (!isMinutes(cooldown, 1)) problems.cooldown = 'The cooldown must be 1 to 10,080 minutes';
  if (hold.trim() !== '' && !isMinutes(hold, 0)) problems.hold = 'The hold time must be 0 to 10,080 minutes';
  if (!isDirection(draft.metric) && margin.trim() !== '' && !(readNumber(margin) >= 0))
    problems.margin = 'Please enter a margin of 0 or more';
  const second = and && conditionProblem(and);
  if (second?.metric) problems.secondMetric = second.metric;
  if (second?.value) problems.secondValue = second.value;
  if (schedule && schedule.days.length === 0) problems.days = 'Please choose a day';
  if (schedule && (!schedule.from || !schedule.to)) problems.times = 'Please enter a time such as 09:30';
  return problems;
}

export const isValid = (draft: Draft): boolean => Object.keys(findProblems(draft)).length === 0;
