import type { Preferences } from '#features/notifications/contract.ts';

type Line = readonly [label: string, value: string];

const CATEGORIES = {
  rules: 'Your rules',
  market: 'Market',
  ai: 'AI consensus',
  inflation: 'Inflation',
  product: 'Product news',
} as const;
const IMPACTS = { all: 'all', high: 'high', high_medium: 'high and medium' } as const;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const onOff = (on: boolean): string => (on ? 'on' : 'off');
const listed = (list: readonly (string | number)[]): string => (list.length === 0 ? 'none' : list.join(', '));
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;

function digestWords({ every, hour: at, weekday }: Preferences['notificationPreferences']['digest']): string {
  if (every === 'daily') return `daily at ${hour(at)}`;
  return every === 'weekly' ? `${WEEKDAYS[weekday - 1]} at ${hour(at)}` : every;
}

function quietWords({
  enabled,
  from,
  to,
  letHighThrough,
}: Preferences['notificationPreferences']['quietHours']): string {
  return enabled ? `${from} to ${to}, high severity ${letHighThrough ? 'comes through' : 'waits too'}` : 'off';
}

/** Every setting by its name, in words. */
function linesOf(given: Preferences): Line[] {
  const { categories, digest, quietHours, timeZone } = given.notificationPreferences;
  const ways = Object.entries(CATEGORIES).map(
    ([id, name]): Line => [`${name} by`, listed(categories[id as keyof typeof CATEGORIES])],
  );
  return [
    ['Email notifications', onOff(given.emailNotifications)],
    ['Push notifications', onOff(given.pushNotifications)],
    ['Telegram notifications', onOff(given.telegramNotifications)],
    ...ways,
    ['Time zone', timeZone],
    ['Quiet hours', quietWords(quietHours)],
    ['Digest', digestWords(digest)],
    ['Event reminders', onOff(given.eventNotifications)],
    ['Days before an event', listed(given.eventNotificationWindows)],
    ['Event reminders by', listed(given.eventNotificationChannels)],
    ['Events of impact', IMPACTS[given.eventImpactFilter]],
  ];
}

/** What becomes different, as 'Email notifications: on → off'. */
export function changesOf(before: Preferences, after: Preferences): string[] {
  const old = new Map(linesOf(before));
  return linesOf(after)
    .filter(([label, value]) => old.get(label) !== value)
    .map(([label, value]) => `${label}: ${old.get(label)} → ${value}`);
}
