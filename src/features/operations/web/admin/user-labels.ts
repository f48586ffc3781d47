import type { ChannelName, DeliveryState } from '#features/notifications/contract/notifications.ts';
import type { AdminUser } from '#features/operations/contract/admin.ts';
import type { BillingEntry } from '#features/payments/contract/billing.ts';
import type { Tone } from '#ui/badge.tsx';

type Words = { words: string; tone: Tone };

export const SUBSCRIPTION: Record<AdminUser['subscriptionStatus'], Words | null> = {
  active: { words: 'Active', tone: 'up' },
  cancelled: { words: 'Canceled', tone: 'warn' },
  grace: { words: 'Grace', tone: 'warn' },
  expired: { words: 'Expired', tone: 'down' },
  none: null,
};

export const PAYMENT: Record<BillingEntry['state'], Words> = {
  paid: { words: 'Paid', tone: 'up' },
  open: { words: 'Waiting for payment', tone: 'warn' },
  failed: { words: 'Failed', tone: 'down' },
  refunded: { words: 'Refunded', tone: 'plain' },
  given: { words: 'Granted', tone: 'accent' },
  expired: { words: 'Expired', tone: 'plain' },
};

export const DELIVERY: Record<DeliveryState, Words> = {
  waiting: { words: 'Waiting', tone: 'accent' },
  handed: { words: 'In transit', tone: 'accent' },
  sent: { words: 'Accepted', tone: 'up' },
  failed: { words: 'Failed', tone: 'down' },
  expired: { words: 'Expired', tone: 'warn' },
  dropped: { words: 'Not sent', tone: 'plain' },
};

export const CHANNELS: Record<ChannelName, string> = {
  email: 'Email',
  push: 'Push',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

const SOURCES: readonly (readonly [start: string, words: string])[] = [
  ['grant:trial:', 'Trial'],
  ['grant:card:', 'Card'],
  ['grant:wallet:', 'USDC'],
  ['grant:admin:', 'Gift'],
  ['grant:', 'Paid period'],
  ['grace', 'Grace period'],
  ['demo', 'Demo account'],
  ['admin', 'Set by an administrator'],
];

/** Origin of an entitlement fact in words; an unknown source is shown unchanged. */
export const sourceWords = (source: string): string =>
  SOURCES.find(([start]) => source.startsWith(start))?.[1] ?? source;

export const usd = (amount: string): string => (amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`);
