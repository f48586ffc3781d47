import { accountTopic } from '#features/accounts/contract/auth.ts';
import {
  CATEGORIES,
  CHANNELS,
  EVENT_WINDOWS,
  type Preferences,
} from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
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

/** Sorted, without doubles; refuses a zone that is not known here or to the database. Before a transaction: a failed query would end it. */
export async function checkPreferences(db: Db, given: Preferences): Promise<Preferences> {
  const preferences = tidied(given);
  const { timeZone } = preferences.notificationPreferences;
  // An offset such as +02:00 means its opposite to the database.
  if (!/^[A-Za-z]/.test(timeZone) || !(await knowsZone(db, timeZone)))
    throw new AppError('bad_request', 'Unknown time zone');
  return preferences;
}

/** Stores what was checked; every open page of the account reads it again. */
export async function putPreferences(
  { live }: Pick<NotificationsContext, 'live'>,
  tx: Db,
  userId: number,
  preferences: Preferences,
): Promise<void> {
  await storePreferences(tx, userId, preferences);
  await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'notifications'] });
}

/** Stores the whole object. */
export async function savePreferences(
  ctx: NotificationsContext,
  userId: number,
  given: Preferences,
): Promise<Preferences> {
  const preferences = await checkPreferences(ctx.db, given);
  await ctx.db.transaction().execute((tx) => putPreferences(ctx, tx, userId, preferences));
  return preferences;
}
