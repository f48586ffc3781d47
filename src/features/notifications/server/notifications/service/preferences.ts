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
import { knowsZone, savePreferenceRow } from '../store/preferences.ts';

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

/**
 * Sorted and deduplicated; rejects a zone unknown to the runtime or the database. Runs outside a transaction, which a
 * failed query would abort.
 */
export async function checkPreferences(db: Db, given: Preferences): Promise<Preferences> {
  const preferences = tidied(given);
  const { timeZone } = preferences.notificationPreferences;
  // PostgreSQL reads an offset such as +02:00 with the opposite sign.
  if (!/^[A-Za-z]/.test(timeZone) || !(await knowsZone(db, timeZone)))
    throw new AppError('bad_request', 'Unknown time zone');
  return preferences;
}

/** Stores validated preferences; every open page of the account refetches them. */
export async function putPreferences(
  { live }: Pick<NotificationsContext, 'live'>,
  tx: Db,
  userId: number,
  preferences: Preferences,
): Promise<void> {
  await savePreferenceRow(tx, userId, preferences);
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
