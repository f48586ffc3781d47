import { sql } from 'kysely';
import type { Preferences } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';

type Row = {
  notify_email: boolean;
  notify_push: boolean;
  notify_telegram: boolean;
  notification_preferences: Preferences['notificationPreferences'];
  event_notifications: boolean;
  event_windows: Preferences['eventNotificationWindows'];
  event_channels: Preferences['eventNotificationChannels'];
  event_impact: Preferences['eventImpactFilter'];
};

export async function readPreferences(db: Db, userId: number): Promise<Preferences> {
  const { rows } =
    await sql<Row>`select notify_email, notify_push, notify_telegram, notification_preferences, event_notifications,
    event_windows, event_channels, event_impact from users where id = ${userId}::bigint`.execute(db);
  const row = rows[0] as Row;
  return {
    emailNotifications: row.notify_email,
    pushNotifications: row.notify_push,
    telegramNotifications: row.notify_telegram,
    notificationPreferences: row.notification_preferences,
    eventNotifications: row.event_notifications,
    eventNotificationWindows: row.event_windows,
    eventNotificationChannels: row.event_channels,
    eventImpactFilter: row.event_impact,
  };
}

export async function savePreferenceRow(db: Db, userId: number, preferences: Preferences): Promise<void> {
  const { notificationPreferences, eventNotificationWindows, eventNotificationChannels } = preferences;
  await sql`update users set notify_email = ${preferences.emailNotifications}, notify_push = ${preferences.pushNotifications},
    notify_telegram = ${preferences.telegramNotifications}, notification_preferences = ${JSON.stringify(notificationPreferences)}::jsonb,
    event_notifications = ${preferences.eventNotifications}, event_windows = ${eventNotificationWindows}::smallint[],
    event_channels = ${eventNotificationChannels}::text[], event_impact = ${preferences.eventImpactFilter}
    where id = ${userId}::bigint`.execute(db);
}

const NO_SUCH_ZONE = '22023';

/** Whether the database, which computes the end of quiet hours, also knows the zone. */
export async function knowsZone(db: Db, zone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${zone}`.execute(db);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_ZONE) return false;
    throw error;
  }
}
