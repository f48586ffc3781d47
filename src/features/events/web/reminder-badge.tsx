import { useQuery } from '@tanstack/react-query';

import type { ChannelName } from '#features/notifications/contract.ts';
import { useToken } from '#web/session.ts';
import { Badge } from '#web/ui/badge.tsx';

import { remindersQuery } from './queries.ts';

const WAYS: Record<ChannelName, string> = {
  email: 'email',
  push: 'push notification',
  telegram: 'Telegram',
  webhook: 'webhook',
};
const EVERYONE = 'The three-day reminder has gone out to everyone who has event reminders switched on.';
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What was sent to the reader; what holds for everyone while that is not known. */
function useWords(eventId: number): string {
  const { data } = useQuery(remindersQuery(useToken()));
  if (!data) return EVERYONE;
  const sent = data.sent.filter((each) => each.eventId === eventId);
  const ways = sent.map(({ channel, sentAt }) => `by ${WAYS[channel]} at ${sentAt.slice(11, 16)} UTC`);
  if (ways.length > 0) return `The three-day reminder was sent to you ${list.format(ways)}.`;
  return data.on ? 'No three-day reminder was sent to you.' : 'Your event reminders are off.';
}

export function ReminderBadge({ eventId }: { eventId: number }) {
  const words = useWords(eventId);
  return (
    <span className="cursor-help" title={words}>
      <Badge tone="accent">Notification Sent</Badge>
      <span className="sr-only">. {words}</span>
    </span>
  );
}
