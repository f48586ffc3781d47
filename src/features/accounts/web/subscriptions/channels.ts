import type { Subscription } from '#features/accounts/contract/subscriptions.ts';

type Channel = keyof Subscription['notifications'];

/** Notification channels, in the order of the specification. */
export const CHANNELS: readonly { id: Channel; name: string; note: string }[] = [
  { id: 'email', name: 'Email', note: 'To your address' },
  { id: 'push', name: 'Push', note: 'To your browsers' },
  { id: 'telegram', name: 'Telegram', note: 'To your chat' },
];
