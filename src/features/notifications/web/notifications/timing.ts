import type { NotificationPreferences } from '#features/notifications/contract/notifications.ts';
import { zoneWords } from '#ui/zone-field.tsx';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function digestWords({ digest, timeZone }: NotificationPreferences): string {
  const at = `${hourWords(digest.hour)} ${zoneWords(timeZone)}`;
  const rhythm = {
    hourly: 'every hour',
    daily: `every day at ${at}`,
    weekly: `every ${WEEKDAYS[digest.weekday - 1]} at ${at}`,
  };
  return digest.every === 'off' ? '' : rhythm[digest.every];
}

/** From and to at the same time name no hours. */
export const isQuiet = ({ quietHours: { enabled, from, to } }: NotificationPreferences): boolean =>
  enabled && from !== to;

/** What will happen now, in plain sentences. */
export function timingWords(preferences: NotificationPreferences): string {
  const { digest, quietHours, timeZone } = preferences;
  const first =
    digest.every === 'off'
      ? 'Alerts are sent immediately.'
      : `Low and medium severity alerts are emailed as a digest ${digestWords(preferences)}. High severity and other channels are sent immediately.`;
  if (!isQuiet(preferences)) return `${first} No quiet hours.`;
  const hours = `From ${quietHours.from} to ${quietHours.to} ${zoneWords(timeZone)}`;
  const end = `waits until ${quietHours.to}`;
  return `${first} ${hours} ${quietHours.letHighThrough ? `only high severity is sent; the rest ${end}` : `nothing is sent; everything ${end}`}.`;
}
