import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';
import { provenance } from '#shared/provenance.ts';

/** Market alerts for everyone; their levels are in docs/glossary.md. */
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

/** A fired rule of the user, and the notice that rules were paused. */
export const OWN_TYPES = ['CUSTOM_THRESHOLD', 'RULES_PAUSED'] as const;

export const alertType = z.enum([...MARKET_TYPES, ...OWN_TYPES]);
export type AlertType = z.infer<typeof alertType>;

export const severity = z.enum(['high', 'medium', 'low']);
export type Severity = z.infer<typeof severity>;

/** Timeline from the source to the user. */
export const receipt = z.object({
  /** Timestamp from the source. */
  sourceAt: z.iso.datetime(),
  /** When we received it. */
  receivedAt: z.iso.datetime(),
  /** When the engine evaluated it. */
  evaluatedAt: z.iso.datetime(),
  /** When alert and outbox event were written. */
  queuedAt: z.iso.datetime(),
  /** `GET /api/alerts` only: when each channel accepted it for the caller, earliest first. */
  deliveries: z.optional(
    z.array(z.object({ channel: z.enum(['email', 'push', 'telegram', 'webhook']), sentAt: z.iso.datetime() })),
  ),
});
export type Receipt = z.infer<typeof receipt>;

/** `timestamp` is when it was raised. `value` is in the metric's unit; null without a number, as for an event. */
export const raisedAlert = z.object({
  id: z.int(),
  type: alertType,
  severity,
  message: z.string(),
  metric: z.string(),
  value: z.nullable(z.number()),
  timestamp: z.iso.datetime(),
  /** UPCOMING_EVENT only. */
  eventDate: z.nullable(z.iso.datetime()),
  eventId: z.nullable(z.int()),
  /** The caller's own rule; null for market alerts. */
  thresholdId: z.nullable(z.int()),
  receipt,
  meta: z.omit(provenance, { staleAfter: true }),
});
export type RaisedAlert = z.infer<typeof raisedAlert>;

export const alert = z.extend(raisedAlert, { acknowledged: z.boolean() });
export type Alert = z.infer<typeof alert>;

/** Newest first: market alerts and the caller's own. `before` continues below that id. */
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

/** Number of recent alerts counted, separately for market alerts and the caller's own. */
export const MOST_COUNTED = 1000;

/** `unread` counts alerts newer than `seen` and not acknowledged; `newest` is the highest id counted, 0 without any. */
export const alertCounts = z.object({ total: z.int(), unread: z.int(), newest: z.int() });
export type AlertCounts = z.infer<typeof alertCounts>;

export const countAlerts = endpoint({
  method: 'GET',
  path: '/api/alerts/counts',
  access: 'pro',
  query: z.object({ seen: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0) }),
  reply: alertCounts,
});

/** Idempotent. Another user's alert is reported as not found. */
export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/alerts/:id/acknowledge',
  access: 'pro',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: z.object({ id: z.int(), acknowledged: z.literal(true) }),
});

/** Sent to every paid account, or to the owner of a fired rule: refetch the alerts. Contains the new ones. */
export const alertsTopic = topic({
  name: 'alerts',
  access: 'pro',
  data: z.object({ at: z.number(), alerts: z.array(raisedAlert) }),
});
