import { z } from 'zod/mini';

import { severity } from '#features/alerts/contract/alerts.ts';
import { endpoint } from '#shared/contract.ts';

/** The ways by which news leave the product. What is in the app is there with the alert itself. */
export const CHANNELS = ['email', 'push', 'telegram', 'webhook'] as const;
export const channelName = z.enum(CHANNELS);
export type ChannelName = z.infer<typeof channelName>;

/** What a person can choose ways for. Reminders of events have choices of their own. */
export const CATEGORIES = ['rules', 'market', 'ai', 'inflation', 'product'] as const;
export const category = z.enum(CATEGORIES);
export type Category = z.infer<typeof category>;

export const EVENT_WINDOWS = [1, 2, 3, 5, 7] as const;
export const eventChannel = z.enum(['email', 'push', 'telegram']);
export type EventChannel = z.infer<typeof eventChannel>;

const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as 22:00'));
const timeZone = z.string().check(
  z.maxLength(64),
  z.refine((zone) => {
    try {
      Intl.DateTimeFormat('en', { timeZone: zone }).format(0);
      return true;
    } catch {
      return false;
    }
  }, 'Unknown time zone'),
);

/** Choices beyond the switches of the channels. Times are those of `timeZone`. */
export const notificationPreferences = z.strictObject({
  timeZone,
  categories: z.strictObject({
    rules: z.array(channelName),
    market: z.array(channelName),
    ai: z.array(channelName),
    inflation: z.array(channelName),
    product: z.array(channelName),
  }),
  /** Nothing is sent from `from` to `to`; it is sent at the end. `from` after `to` passes midnight. */
  quietHours: z.strictObject({ enabled: z.boolean(), from: clockTime, to: clockTime, letHighThrough: z.boolean() }),
  /** What is of low or medium severity is gathered into one mail. `weekday` is 1 (Monday) to 7, `hour` the local hour. */
  digest: z.strictObject({
    every: z.enum(['off', 'hourly', 'daily', 'weekly']),
    hour: z.int().check(z.minimum(0), z.maximum(23)),
    weekday: z.int().check(z.minimum(1), z.maximum(7)),
  }),
});
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

export const preferences = z.strictObject({
  emailNotifications: z.boolean(),
  pushNotifications: z.boolean(),
  telegramNotifications: z.boolean(),
  notificationPreferences,
  eventNotifications: z.boolean(),
  /** Days before an event, ascending. */
  eventNotificationWindows: z.array(z.literal(EVENT_WINDOWS)),
  eventNotificationChannels: z.array(eventChannel),
  eventImpactFilter: z.enum(['all', 'high', 'high_medium']),
});
export type Preferences = z.infer<typeof preferences>;

export const getPreferences = endpoint({
  method: 'GET',
  path: '/api/notifications/preferences',
  access: 'free',
  reply: z.object({ preferences }),
});

/** The whole object, with every change. Windows and channels come back sorted and without doubles. */
export const savePreferences = endpoint({
  method: 'POST',
  path: '/api/notifications/preferences',
  access: 'free',
  body: preferences,
  reply: z.object({ preferences }),
});

/** `handed`: given to the mail server's queue; `waiting` also while quiet hours or a digest hold it. */
export const deliveryState = z.enum(['waiting', 'handed', 'sent', 'failed', 'expired', 'dropped']);
export type DeliveryState = z.infer<typeof deliveryState>;

export const delivery = z.object({
  id: z.int(),
  channel: channelName,
  title: z.string(),
  severity,
  state: deliveryState,
  /** When it became known that there is something to tell. */
  queuedAt: z.iso.datetime(),
  /** When it goes out at the earliest; of `waiting` only. */
  dueAt: z.nullable(z.iso.datetime()),
  /** When the channel had accepted it. */
  sentAt: z.nullable(z.iso.datetime()),
  latencyMs: z.nullable(z.number()),
  tries: z.int(),
  /** Why it waits or was not sent, in words for its reader. */
  note: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

/** The caller's own, newest first; `before` goes on below that id. Kept for 30 days. */
export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/notifications/deliveries',
  access: 'free',
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  }),
  reply: z.object({ deliveries: z.array(delivery) }),
});

/** Three-day reminders of events that have reached the caller, the first one first; `on` is whether reminders are switched on. */
export const listReminders = endpoint({
  method: 'GET',
  path: '/api/notifications/reminders',
  access: 'free',
  reply: z.object({
    on: z.boolean(),
    sent: z.array(z.object({ eventId: z.int(), channel: channelName, sentAt: z.iso.datetime() })),
  }),
});

/**
 * Measured from the moment an alert is written to the moment at which the channel had accepted it, of `in-app` to that at which the open
 * pages of people had it on their streams; `n` counts deliveries, of `in-app` pages. What waited by wish is left out, and who had no page open.
 */
export const channelLatency = z.object({
  channel: z.enum(['in-app', ...CHANNELS]),
  n: z.int(),
  p50Ms: z.nullable(z.number()),
  p95Ms: z.nullable(z.number()),
  p99Ms: z.nullable(z.number()),
});
export type ChannelLatency = z.infer<typeof channelLatency>;

export const latency = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  channels: z.array(channelLatency),
});
export type Latency = z.infer<typeof latency>;

/** Of the last 30 days, of everyone. */
export const getDeliveryLatency = endpoint({
  method: 'GET',
  path: '/api/notifications/latency',
  access: 'public',
  reply: latency,
});

export const adminDelivery = z.extend(delivery, { userId: z.int(), email: z.string() });
export type AdminDelivery = z.infer<typeof adminDelivery>;

/** What could not be delivered, newest first. */
export const listFailedDeliveries = endpoint({
  method: 'GET',
  path: '/api/admin/deliveries',
  access: 'admin',
  query: z.object({ channel: z.optional(channelName) }),
  reply: z.object({ deliveries: z.array(adminDelivery), total: z.int() }),
});

/** One of anybody's, whatever became of it. */
export const getDelivery = endpoint({
  method: 'GET',
  path: '/api/admin/deliveries/:id',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: adminDelivery,
});

/** Tried again from the beginning. One that did not fail answers with `conflict`. */
export const retryDelivery = endpoint({
  method: 'POST',
  path: '/api/admin/deliveries/:id/retry',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: z.object({ id: z.int(), state: z.literal('waiting') }),
});
