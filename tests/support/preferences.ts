import type { NotificationPreferences, Preferences } from '#features/notifications/contract/notifications.ts';

import type { TestUser } from './people.ts';

const ALL_CHANNELS: NotificationPreferences['categories']['rules'] = ['email', 'push', 'telegram', 'webhook'];

/** The default preferences. */
export const PREFERENCES: Preferences = {
  emailNotifications: true,
  pushNotifications: false,
  telegramNotifications: false,
  notificationPreferences: {
    timeZone: 'UTC',
    categories: {
      rules: ALL_CHANNELS,
      market: ALL_CHANNELS,
      ai: ALL_CHANNELS,
      inflation: ALL_CHANNELS,
      product: ['email'],
    },
    quietHours: { enabled: false, from: '22:00', to: '07:00', letHighThrough: true },
    digest: { every: 'off', hour: 8, weekday: 1 },
  },
  eventNotifications: true,
  eventNotificationWindows: [3],
  eventNotificationChannels: ['email', 'push'],
  eventImpactFilter: 'all',
};

type PreferenceChange = Partial<Omit<Preferences, 'notificationPreferences'>> & {
  more?: Partial<NotificationPreferences>;
};

export const preferencesWith = ({ more, ...change }: PreferenceChange): Preferences => ({
  ...PREFERENCES,
  ...change,
  notificationPreferences: { ...PREFERENCES.notificationPreferences, ...more },
});

/** Changes these preferences; all others keep their defaults. */
export async function savePreferences(user: TestUser, change: PreferenceChange): Promise<Preferences> {
  const response = await user.post('/api/notifications/preferences', preferencesWith(change));
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<{ preferences: Preferences }>().preferences;
}
