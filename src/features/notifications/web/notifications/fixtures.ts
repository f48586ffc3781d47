import type {
  ChannelLatency,
  Delivery,
  NotificationPreferences,
  Preferences,
} from '#features/notifications/contract/notifications.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const DAY_MS = 86_400_000;

type Change = Omit<Partial<Preferences>, 'notificationPreferences'> & {
  notificationPreferences?: Partial<NotificationPreferences>;
};

/** The defaults of a new user, with the given changes. */
export function preferencesOf({ notificationPreferences, ...change }: Change = {}): Preferences {
  return {
    emailNotifications: true,
    pushNotifications: false,
    telegramNotifications: false,
    eventNotifications: true,
    eventNotificationWindows: [3],
    eventNotificationChannels: ['email', 'push'],
    eventImpactFilter: 'all',
    ...change,
    notificationPreferences: {
      timeZone: 'UTC',
      categories: {
        rules: ['email', 'push', 'telegram', 'webhook'],
        market: ['email', 'push', 'telegram', 'webhook'],
        ai: ['email', 'push'],
        inflation: ['email'],
        product: ['email'],
      },
      quietHours: { enabled: false, from: '22:00', to: '07:00', letHighThrough: true },
      digest: { every: 'off', hour: 8, weekday: 1 },
      ...notificationPreferences,
    },
  };
}

/** Accepted by the mail server 1.2 seconds after it was queued, three minutes before noon. */
export function deliveryOf(id: number, change: Partial<Delivery> = {}): Delivery {
  const queued = NOON - 180_000;
  return {
    id,
    channel: 'email',
    title: `Alert ${id}`,
    severity: 'medium',
    state: 'sent',
    queuedAt: iso(queued),
    dueAt: null,
    sentAt: iso(queued + 1_200),
    latencyMs: 1_200,
    tries: 1,
    note: null,
    ...change,
  };
}

const open = { sentAt: null, latencyMs: null } as const;

/** One of each outcome. */
export const someDeliveries: Delivery[] = [
  deliveryOf(29, {
    ...open,
    title: 'SSR fell below 6',
    state: 'waiting',
    dueAt: iso(NOON + 19 * 3_600_000),
    note: 'quiet hours',
  }),
  deliveryOf(28, { ...open, title: 'BTC fell 8.4% in 24 hours', severity: 'high', state: 'handed' }),
  deliveryOf(27, { channel: 'push', title: 'BTC went above 70,000 USD', latencyMs: 340, note: 'to 2 browsers' }),
  deliveryOf(26, { ...open, channel: 'webhook', state: 'failed', tries: 8, note: 'Your address answered 500' }),
  deliveryOf(25, { ...open, channel: 'telegram', state: 'expired', note: 'Telegram could not be reached for 6 hours' }),
  deliveryOf(24, { ...open, channel: 'push', state: 'dropped', note: 'No browser is subscribed' }),
];

export const latencyOf = (channels: readonly Partial<ChannelLatency>[] = []) => ({
  from: iso(NOON - 30 * DAY_MS),
  to: iso(NOON),
  channels: (['in-app', 'email', 'push', 'telegram', 'webhook'] as const).map((channel) => ({
    channel,
    n: 0,
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    ...channels.find((each) => each.channel === channel),
  })),
});
