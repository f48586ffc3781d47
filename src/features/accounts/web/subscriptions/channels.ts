import type { Subscription } from '#features/accounts/contract/subscriptions.ts';

type Channel = keyof Subscription['notifications'];

/** Notification channels, in the order of the specification. */
export const CHANNELS: readonly { id: Channel; name: string; note: string }[] = [
  { id: 'email', name: 'Email', note: 'to your address' },
  { id: 'push', name: 'Push', note: 'to your browsers' },
  { id: 'telegram', name: 'Telegram', note: 'to your chat' },
];
