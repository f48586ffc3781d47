import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';
import { provenance } from '#shared/provenance.ts';

/** What the engine raises for everyone; their levels are in docs/glossary.md. */
export const MARKET_TYPES = [
  'PRICE_BULLISH_MOVE',
  'PRICE_BEARISH_MOVE',
  'EXCHANGE_INFLOW',
  'EXCHANGE_OUTFLOW',
  'STABLECOIN_GROWTH',
  'STABLECOIN_DECLINE',
  'BTC_DOMINANCE_SHIFT',
  'SSR_LEVEL',
  'FUNDING_EXTREME_BULLISH',
  'FUNDING_EXTREME_BEARISH',
  'LIQUIDATION_SPIKE',
  'FEAR_GREED_EXTREME',
  'AI_CONSENSUS_BULLISH',
  'AI_CONSENSUS_BEARISH',
  'INFLATION_SURPRISE',
  'UPCOMING_EVENT',
] as const;

/** A rule of one's own that fired, and the news that rules were paused. */
export const OWN_TYPES = ['CUSTOM_THRESHOLD', 'RULES_PAUSED'] as const;

export const alertType = z.enum([...MARKET_TYPES, ...OWN_TYPES]);
export type AlertType = z.infer<typeof alertType>;

export const severity = z.enum(['high', 'medium', 'low']);
export type Severity = z.infer<typeof severity>;

/** The way from the source to the reader. */
export const receipt = z.object({
  /** The moment the source names. */
  sourceAt: z.iso.datetime(),
  /** When we had it. */
  receivedAt: z.iso.datetime(),
  /** When the engine had judged it. */
  evaluatedAt: z.iso.datetime(),
  /** When alert and outbox event were written. */
  queuedAt: z.iso.datetime(),
  /** Of `GET /api/alerts` only: when which channel had accepted it for the caller, the first one first. */
  deliveries: z.optional(
    z.array(z.object({ channel: z.enum(['email', 'push', 'telegram', 'webhook']), sentAt: z.iso.datetime() })),
  ),
});
export type Receipt = z.infer<typeof receipt>;

/** `timestamp` is when it was raised. `value` is in the unit of the metric; null where there is no number, as for an event. */
export const raisedAlert = z.object({
  id: z.int(),
  type: alertType,
  severity,
  message: z.string(),
  metric: z.string(),
  value: z.nullable(z.number()),
  timestamp: z.iso.datetime(),
  /** Of UPCOMING_EVENT only. */
  eventDate: z.nullable(z.iso.datetime()),
  eventId: z.nullable(z.int()),
  /** The caller's own rule; null for what is raised for everyone. */
  thresholdId: z.nullable(z.int()),
  receipt,
  meta: z.omit(provenance, { staleAfter: true }),
});
export type RaisedAlert = z.infer<typeof raisedAlert>;

export const alert = z.extend(raisedAlert, { acknowledged: z.boolean() });
export type Alert = z.infer<typeof alert>;

/** Newest first: what was raised for everyone and for the caller. `before` goes on below that id. */
export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/alerts',
  access: 'pro',
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  }),
  reply: z.object({ alerts: z.array(alert) }),
});

/** How far back alerts are counted, for everyone's and the caller's own each. */
export const MOST_COUNTED = 1000;

/** `unread` counts what is newer than `seen` and not acknowledged; `newest` is the highest id that was counted, 0 without any. */
export const alertCounts = z.object({ total: z.int(), unread: z.int(), newest: z.int() });
export type AlertCounts = z.infer<typeof alertCounts>;

export const countAlerts = endpoint({
  method: 'GET',
  path: '/api/alerts/counts',
  access: 'pro',
  query: z.object({ seen: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0) }),
  reply: alertCounts,
});

/** Answers the same when it was acknowledged before. Another person's alert is not found. */
export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/alerts/:id/acknowledge',
  access: 'pro',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: z.object({ id: z.int(), acknowledged: z.literal(true) }),
});

/** To everyone with a paid plan, or to the one whose rule fired: read the alerts again. Carries what was raised. */
export const alertsTopic = topic({
  name: 'alerts',
  access: 'pro',
  data: z.object({ at: z.number(), alerts: z.array(raisedAlert) }),
});
