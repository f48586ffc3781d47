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

/** Whether this is a price, of which the built-in analyst may forecast the range that `leaves_range` watches. */
export const hasRange = (metric: string): boolean => pricedCoin(metric) !== undefined;

/** A number, or a direction for an AI metric. What `changes_to_X` and `becomes_X` compare with is in their name. */
export const thresholdValue = z.union(
  [z.number(), z.enum(DIRECTIONS)],
  'Please enter a number, or choose BULLISH, NEUTRAL or BEARISH for an AI alert',
);
export type ThresholdValue = z.infer<typeof thresholdValue>;

const metric = z.string('Please choose a metric').check(z.maxLength(90, 'Unknown metric'));
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 09:30'));

/** Days of the week from 0 (Sunday); a night may pass midnight. */
export const schedule = z.strictObject({
  days: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.minLength(1, 'Please choose a day'), z.maxLength(7)),
  from: time,
  to: time,
  timeZone: z.string().check(z.maxLength(60, 'Unknown time zone')),
});
export type Schedule = z.infer<typeof schedule>;

/** The other condition that must hold at the same time. */
export const secondCondition = z.strictObject({ metric, condition, value: thresholdValue });

const WEEK_MINUTES = 10_080;
const minutes = (least: number, words: string) =>
  z.int(words).check(z.minimum(least, words), z.maximum(WEEK_MINUTES, words));
const MARGIN = 'Please enter a margin of 0 or more';

export const ruleOptions = z.strictObject({
  /** `once`: done after the first fire. */
  mode: z._default(z.enum(['every', 'once']), 'every'),
  /** No second fire within so many minutes. */
  cooldownMinutes: z._default(minutes(1, 'The cooldown must be 1 to 10,080 minutes'), 15),
  /** How far the value must come back before the rule is armed again, in the unit of the metric; null is the metric's own. */
  margin: z._default(z.nullable(z.number(MARGIN).check(z.minimum(0, MARGIN))), null),
  /** It must hold for so long before the rule fires. */
  holdMinutes: z._default(minutes(0, 'The hold time must be 0 to 10,080 minutes'), 0),
  expiresAt: z._default(z.nullable(z.iso.datetime('Please enter the expiry as a date and time')), null),
  and: z._default(z.nullable(secondCondition), null),
  schedule: z._default(z.nullable(schedule), null),
});
export type RuleOptions = z.infer<typeof ruleOptions>;

/** What a person writes. `id` names a rule that is there already; `icon` and `unit` are for show. */
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
 * `armed` waits for its crossing, `pending` holds already and counts its minutes, `fired` holds and has to come back first,
 * `paused` by the plan or a storm (see `note`), `done` has fired once, `expired`, `no_data`, `off` is switched off.
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
  /** Else the icon is that of the metric: it is not sent back. */
  iconChosen: z.boolean(),
  unit: z.string(),
  options: ruleOptions,
  state: ruleState,
  /** One sentence for people where the state needs one: "Already above: fires at the next crossing". */
  note: z.nullable(z.string()),
  /** It has fired once, or a storm has paused it; what the plan pauses is not armed again by hand. */
  canRearm: z.boolean(),
  lastFiredAt: z.nullable(z.iso.datetime()),
  fires: z.int(),
  /** How often it is evaluated. */
  cadence: z.string(),
  /** The current value; null without one. `value` is in percent or sigmas for change conditions. */
  current: z.nullable(z.object({ value: z.number(), meta: provenance })),
});
export type Threshold = z.infer<typeof threshold>;

/** The answer's ETag names the list: give it back as If-Match. */
export const listThresholds = endpoint({
  method: 'GET',
  path: '/api/alerts/thresholds',
  access: 'pro',
  reply: z.array(threshold),
});

/** Of the largest plan. */
export const MOST_RULES = 500;

/** Replaces the whole list in one transaction; rules that say the same keep their state. 412 when another tab has changed it since. */
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

/** Arms a rule again that has fired once, or that a storm has paused; any other is refused. */
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

/** How finely a series is stored: live, prices and collections are judged as they come. */
const grain = z.enum([
  'hourly closes',
  'daily closes',
  'collected values',
  'hourly values',
  'daily values',
  'analyses',
]);
export type Grain = z.infer<typeof grain>;

/** What the rule would have done on our stored series. */
export const preview = z.object({
  metric: z.string(),
  /** What the line is: the metric itself, or its change. */
  unit: z.string(),
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  /** Days that the stored series covers, at most 90. */
  days: z.number(),
  /** What each of its series is stored as, and whose figures these are. */
  tried: z.array(z.object({ source: z.string(), grain })),
  /** Why there is nothing to try it on; else null. */
  absent: z.nullable(z.string()),
  /** At most 240 points for the small chart: [ms since epoch, value]. */
  points: z.array(z.tuple([z.number(), z.number()])),
  level: z.nullable(z.number()),
  /** The newest 200 of them: [ms since epoch, value]. */
  fires: z.array(z.tuple([z.number(), z.number()])),
  fireCount: z.int(),
  perWeek: z.nullable(z.number()),
  longestSilenceDays: z.nullable(z.number()),
  /** Crossings that margin, cooldown, hold time or schedule kept quiet. */
  suppressed: z.int(),
  /** The move of the asset in the 24h after a fire, against all days of the same span. */
  after: z.object({
    asset: z.string(),
    fires: move,
    all: move,
    verdict: z.enum(['higher', 'lower', 'no evidence']),
  }),
  /** A value near the asked one that fires about so often; null where none does. */
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
