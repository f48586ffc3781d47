import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { provenance } from '#shared/provenance.ts';
import { DIRECTIONS, pricedCoin } from '#shared/watched.ts';

export const condition = z.enum(
  [
    'above',
    'below',
    'equals',
    'changes_by',
    'changes_by_sigma',
    'leaves_range',
    'changes_to_bullish',
    'changes_to_bearish',
    'changes_to_neutral',
    'becomes_bullish',
    'becomes_bearish',
    'becomes_neutral',
  ],
  'Please choose a condition',
);
export type Condition = z.infer<typeof condition>;

/** Whether this is a price with a forecast range for `leaves_range`. */
export const hasRange = (metric: string): boolean => pricedCoin(metric) !== undefined;

/** A number, or a direction for an AI metric. `changes_to_X` and `becomes_X` include the direction in their name. */
export const thresholdValue = z.union(
  [z.number(), z.enum(DIRECTIONS)],
  'Please enter a number, or choose BULLISH, NEUTRAL or BEARISH for an AI alert',
);
export type ThresholdValue = z.infer<typeof thresholdValue>;

const metric = z.string('Please choose a metric').check(z.maxLength(90, 'Unknown metric'));
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 09:30'));

/** Days of the week from 0 (Sunday); the interval may span midnight. */
export const schedule = z.strictObject({
  days: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.minLength(1, 'Please choose a day'), z.maxLength(7)),
  from: time,
  to: time,
  timeZone: z.string().check(z.maxLength(60, 'Unknown time zone')),
});
export type Schedule = z.infer<typeof schedule>;

/** A second condition that must hold at the same time. */
export const secondCondition = z.strictObject({ metric, condition, value: thresholdValue });

const WEEK_MINUTES = 10_080;
const minutes = (least: number, words: string) =>
  z.int(words).check(z.minimum(least, words), z.maximum(WEEK_MINUTES, words));
const MARGIN = 'Please enter a margin of 0 or more';

export const ruleOptions = z.strictObject({
  /** `once`: done after firing once. */
  mode: z._default(z.enum(['every', 'once']), 'every'),
  /** Minimum time between fires, in minutes. */
  cooldownMinutes: z._default(minutes(1, 'The cooldown must be 1 to 10,080 minutes'), 15),
  /** How far the value must return before the rule is rearmed, in the metric's unit; null is the metric's default. */
  margin: z._default(z.nullable(z.number(MARGIN).check(z.minimum(0, MARGIN))), null),
  /** How long the condition must hold before the rule fires. */
  holdMinutes: z._default(minutes(0, 'The hold time must be 0 to 10,080 minutes'), 0),
  expiresAt: z._default(z.nullable(z.iso.datetime('Please enter the expiry as a date and time')), null),
  and: z._default(z.nullable(secondCondition), null),
  schedule: z._default(z.nullable(schedule), null),
});
export type RuleOptions = z.infer<typeof ruleOptions>;

/** User input. `id` refers to an existing rule; `icon` and `unit` are display only. */
export const thresholdInput = z.object({
  id: z.optional(z.int().check(z.minimum(1))),
  name: z
    .string('Please name the alert')
    .check(z.trim(), z.minLength(1, 'Please name the alert'), z.maxLength(80, 'Names can have at most 80 characters')),
  description: z._default(z.string().check(z.maxLength(500, 'Descriptions can have at most 500 characters')), ''),
  metric,
  condition,
  value: thresholdValue,
  enabled: z._default(z.boolean(), true),
  icon: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  unit: z.optional(z.string().check(z.maxLength(40))),
  options: z.optional(ruleOptions),
});
export type ThresholdInput = z.input<typeof thresholdInput>;
export type ParsedThreshold = z.output<typeof thresholdInput>;

/**
 * `armed` waits for a crossing, `pending` holds and is counting its minutes, `fired` holds and must return first,
 * `paused` by the plan or a storm (see `note`), `done` has fired once, `expired`, `no_data`, `off` is disabled.
 */
export const ruleState = z.enum(['armed', 'pending', 'fired', 'paused', 'done', 'expired', 'no_data', 'off']);
export type RuleState = z.infer<typeof ruleState>;

export const threshold = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  metric: z.string(),
  condition,
  value: thresholdValue,
  enabled: z.boolean(),
  icon: z.string(),
  /** Otherwise the icon is the metric's: it is not sent back. */
  iconChosen: z.boolean(),
  unit: z.string(),
  options: ruleOptions,
  state: ruleState,
  /** One sentence for the user if the state needs one: "Already above: fires at the next crossing". */
  note: z.nullable(z.string()),
  /** It has fired once or was paused by a storm; a rule paused by the plan cannot be rearmed manually. */
  canRearm: z.boolean(),
  lastFiredAt: z.nullable(z.iso.datetime()),
  fires: z.int(),
  /** How often it is evaluated. */
  cadence: z.string(),
  /** The current value; null without one. `value` is in percent or sigmas for change conditions. */
  current: z.nullable(z.object({ value: z.number(), meta: provenance })),
});
export type Threshold = z.infer<typeof threshold>;

/** The ETag identifies the version of the list: send it back as If-Match. */
export const listThresholds = endpoint({
  method: 'GET',
  path: '/api/alerts/thresholds',
  access: 'pro',
  reply: z.array(threshold),
});

/** Limit of the largest plan. */
export const MOST_RULES = 500;

/**
 * Replaces the whole list in one transaction; rules with the same meaning retain their state. 412 when another tab has
 * changed it since.
 */
export const saveThresholds = endpoint({
  method: 'POST',
  path: '/api/alerts/thresholds',
  access: 'pro',
  body: z.strictObject({
    thresholds: z
      .array(thresholdInput, 'Send a list of alerts')
      .check(z.maxLength(MOST_RULES, `A list can have at most ${MOST_RULES} alerts`)),
  }),
  reply: z.array(threshold),
});

export const createThreshold = endpoint({
  method: 'POST',
  path: '/api/alerts/thresholds/rules',
  access: 'pro',
  body: thresholdInput,
  reply: threshold,
});

const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) });

export const changeThreshold = endpoint({
  method: 'PUT',
  path: '/api/alerts/thresholds/rules/:id',
  access: 'pro',
  params,
  body: thresholdInput,
  reply: threshold,
});

export const deleteThreshold = endpoint({
  method: 'DELETE',
  path: '/api/alerts/thresholds/rules/:id',
  access: 'pro',
  params,
  reply: z.object({ ok: z.literal(true) }),
});

/** Rearms a rule that has fired once or was paused by a storm; any other is refused. */
export const rearmThreshold = endpoint({
  method: 'POST',
  path: '/api/alerts/thresholds/rules/:id/rearm',
  access: 'pro',
  params,
  reply: threshold,
});

/** Percent over 24h. `n` counts fires whose 24h have passed and do not overlap. */
const move = z.object({
  n: z.int(),
  mean: z.nullable(z.number()),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
});

/** Resolution of a stored series; live, prices and collections are evaluated as they arrive. */
const grain = z.enum([
  'hourly closes',
  'daily closes',
  'collected values',
  'hourly values',
  'daily values',
  'analyses',
]);
export type Grain = z.infer<typeof grain>;

/** What the rule would have done on stored data. */
export const preview = z.object({
  metric: z.string(),
  /** The plotted series: the metric itself, or its change. */
  unit: z.string(),
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  /** Days covered by the stored series, at most 90. */
  days: z.number(),
  /** Resolution and source of each of its series. */
  tried: z.array(z.object({ source: z.string(), grain })),
  /** Why there is no data for a backtest; otherwise null. */
  absent: z.nullable(z.string()),
  /** At most 240 points for the chart: [ms since epoch, value]. */
  points: z.array(z.tuple([z.number(), z.number()])),
  level: z.nullable(z.number()),
  /** The newest 200 of them: [ms since epoch, value]. */
  fires: z.array(z.tuple([z.number(), z.number()])),
  fireCount: z.int(),
  perWeek: z.nullable(z.number()),
  longestSilenceDays: z.nullable(z.number()),
  /** Crossings suppressed by margin, cooldown, hold time or schedule. */
  suppressed: z.int(),
  /** The asset's move in the 24h after a fire, compared with all days of the same period. */
  after: z.object({
    asset: z.string(),
    fires: move,
    all: move,
    verdict: z.enum(['higher', 'lower', 'no evidence']),
  }),
  /** A nearby value with about that frequency; null when there is none. */
  suggestions: z.array(z.object({ perWeek: z.number(), value: z.number() })),
});
export type Preview = z.infer<typeof preview>;

export const previewThreshold = endpoint({
  method: 'POST',
  path: '/api/alerts/thresholds/preview',
  access: 'pro',
  body: thresholdInput,
  reply: preview,
});
