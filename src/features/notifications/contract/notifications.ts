import { z } from 'zod/mini';

import { severity } from '#features/alerts/contract/alerts.ts';
import { endpoint } from '#shared/contract.ts';

/** Channels outside the app. In-app notification is part of the alert itself. */
export const CHANNELS = ['email', 'push', 'telegram', 'webhook'] as const;
export const channelName = z.enum(CHANNELS);
export type ChannelName = z.infer<typeof channelName>;

/** Categories with channel settings. Event reminders have settings of their own. */
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

/** Settings beyond the channel switches. Times are in `timeZone`. */
export const notificationPreferences = z.strictObject({
  timeZone,
  categories: z.strictObject({
    rules: z.array(channelName),
    market: z.array(channelName),
    ai: z.array(channelName),
    inflation: z.array(channelName),
    product: z.array(channelName),
  }),
  /** Nothing is sent between `from` and `to`; it is sent at the end. `from` after `to` spans midnight. */
  quietHours: z.strictObject({ enabled: z.boolean(), from: clockTime, to: clockTime, letHighThrough: z.boolean() }),
  /**
   * Notifications of low or medium severity are collected into one email. `weekday` is 1 (Monday) to 7, `hour` the
   * local hour.
   */
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

/** Takes the complete object on every change. Windows and channels are returned sorted and deduplicated. */
export const savePreferences = endpoint({
  method: 'POST',
  path: '/api/notifications/preferences',
  access: 'free',
  body: preferences,
  reply: z.object({ preferences }),
});

/** `handed`: given to the mail server's queue; `waiting` includes deliveries held by quiet hours or a digest. */
export const deliveryState = z.enum(['waiting', 'handed', 'sent', 'failed', 'expired', 'dropped']);
export type DeliveryState = z.infer<typeof deliveryState>;

export const delivery = z.object({
  id: z.int(),
  channel: channelName,
  title: z.string(),
  severity,
  state: deliveryState,
  /** When the notification was queued. */
  queuedAt: z.iso.datetime(),
  /** Earliest time of sending; only for `waiting`. */
  dueAt: z.nullable(z.iso.datetime()),
  /** When the channel accepted it. */
  sentAt: z.nullable(z.iso.datetime()),
  latencyMs: z.nullable(z.number()),
  tries: z.int(),
  /** Why it is waiting or was not sent, shown to the user. */
  note: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

/** The caller's deliveries, newest first; `before` continues below that id. Retained for 30 days. */
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

/** Three-day event reminders delivered to the caller, oldest first; `on` is whether reminders are enabled. */
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
 * Measured from writing the alert to acceptance by the channel, or for `in-app` to its arrival on open streams; `n`
 * counts deliveries, or pages for `in-app`. Deliveries held by quiet hours or a digest, and users without an open page,
 * are excluded.
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

/** Over the last 30 days, for all users. */
export const getDeliveryLatency = endpoint({
  method: 'GET',
  path: '/api/notifications/latency',
  access: 'public',
  reply: latency,
});

export const adminDelivery = z.extend(delivery, { userId: z.int(), email: z.string() });
export type AdminDelivery = z.infer<typeof adminDelivery>;

/** Failed deliveries, newest first. */
export const listFailedDeliveries = endpoint({
  method: 'GET',
  path: '/api/admin/deliveries',
  access: 'admin',
  query: z.object({ channel: z.optional(channelName) }),
  reply: z.object({ deliveries: z.array(adminDelivery), total: z.int() }),
});

/** Any user's delivery, in any state. */
export const getDelivery = endpoint({
  method: 'GET',
  path: '/api/admin/deliveries/:id',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: adminDelivery,
});

/** Restarts a delivery. One that did not fail answers with `conflict`. */
export const retryDelivery = endpoint({
  method: 'POST',
  path: '/api/admin/deliveries/:id/retry',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  reply: z.object({ id: z.int(), state: z.literal('waiting') }),
});
