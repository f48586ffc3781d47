import type { NotificationPreferences, Preferences } from '#features/notifications/contract/notifications.ts';

import type { Person } from './people.ts';

const EVERYWHERE: NotificationPreferences['categories']['rules'] = ['email', 'push', 'telegram', 'webhook'];

/** The default preferences. */
export const PREFERENCES: Preferences = {
  emailNotifications: true,
  pushNotifications: false,
  telegramNotifications: false,
  notificationPreferences: {
    timeZone: 'UTC',
    categories: { rules: EVERYWHERE, market: EVERYWHERE, ai: EVERYWHERE, inflation: EVERYWHERE, product: ['email'] },
    quietHours: { enabled: false, from: '22:00', to: '07:00', letHighThrough: true },
    digest: { every: 'off', hour: 8, weekday: 1 },
  },
  eventNotifications: true,
  eventNotificationWindows: [3],
  eventNotificationChannels: ['email', 'push'],
  eventImpactFilter: 'all',
};

type Change = Partial<Omit<Preferences, 'notificationPreferences'>> & {
  more?: Partial<NotificationPreferences>;
};

export const preferencesWith = ({ more, ...change }: Change): Preferences => ({
  ...PREFERENCES,
  ...change,
  notificationPreferences: { ...PREFERENCES.notificationPreferences, ...more },
});

/** Changes these preferences; all others keep their defaults. */
export async function prefer(who: Person, change: Change): Promise<Preferences> {
  const answer = await who.post('/api/notifications/preferences', preferencesWith(change));
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ preferences: Preferences }>().preferences;
}
