import { accountTopic } from '#features/auth/contract.ts';
import { CATEGORIES, CHANNELS, EVENT_WINDOWS, type Preferences } from '#features/notifications/contract.ts';
import { AppError } from '#server/platform/errors.ts';
import type { NotificationsContext } from '../context.ts';
import { knowsZone, storePreferences } from '../store/preferences.ts';

/** In the order of the list, each once. */
const inOrder = <T>(list: readonly T[], chosen: readonly T[]): T[] => list.filter((each) => chosen.includes(each));

function tidied(given: Preferences): Preferences {
  const { categories, ...rest } = given.notificationPreferences;
  const sorted = Object.fromEntries(CATEGORIES.map((name) => [name, inOrder(CHANNELS, categories[name])]));
  return {
    ...given,
    notificationPreferences: { ...rest, categories: sorted as typeof categories },
    eventNotificationWindows: inOrder(EVENT_WINDOWS, given.eventNotificationWindows),
    eventNotificationChannels: inOrder(['email', 'push', 'telegram'], given.eventNotificationChannels),
  };
}

/** Stores the whole object; every open page of the account reads it again. */
export async function savePreferences(
  { db, live }: NotificationsContext,
  userId: number,
  given: Preferences,
): Promise<Preferences> {
  const preferences = tidied(given);
  const { timeZone } = preferences.notificationPreferences;
  // An offset such as +02:00 means its opposite to the database.
  if (!/^[A-Za-z]/.test(timeZone) || !(await knowsZone(db, timeZone)))
    throw new AppError('bad_request', 'This time zone is not known');
  await db.transaction().execute(async (tx) => {
    await storePreferences(tx, userId, preferences);
    await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'notifications'] });
  });
  return preferences;
}
