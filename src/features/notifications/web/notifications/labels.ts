import type {
  Category,
  ChannelName,
  Delivery,
  DeliveryState,
  Preferences,
} from '#features/notifications/contract/notifications.ts';
import type { Tone } from '#ui/badge.tsx';

export const CHANNEL_WORDS: Record<ChannelName, string> = {
  email: 'Email',
  push: 'Push',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

/** The switch of a channel; webhooks are enabled while there is one. */
export const MASTERS = {
  email: 'emailNotifications',
  push: 'pushNotifications',
  telegram: 'telegramNotifications',
} as const;

export const isOn = (preferences: Preferences, channel: ChannelName): boolean =>
  channel === 'webhook' || preferences[MASTERS[channel]];

export const CATEGORY_WORDS: Record<Category, readonly [name: string, note: string]> = {
  rules: ['Your rules', 'Custom alerts that fire or are paused'],
  market: ['Market', 'Unusual moves, flows, funding, liquidations, sentiment'],
  ai: ['AI consensus', 'Turns bullish or bearish'],
  inflation: ['Inflation', 'Surprise releases'],
  product: ['Product news', 'Product news, on every plan'],
};

export const STATE_WORDS: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  handed: 'In transit',
  sent: 'Accepted',
  failed: 'Failed',
  expired: 'Expired',
  dropped: 'Not sent',
};

export const STATE_TONES: Record<DeliveryState, Tone> = {
  waiting: 'accent',
  handed: 'accent',
  sent: 'up',
  failed: 'down',
  expired: 'warn',
  dropped: 'plain',
};

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** '45 ms', '1.2 s', '3 min 20 s' */
export function tookWords(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** 'a', 'a and b', 'a, b and c' */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A moment in the given zone: '21 Nov, 14:03:22'. */
export const momentIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));

/** Details beyond the state. */
export function outcomeNote({ state, tries, note, dueAt }: Delivery, timeZone: string, now: number): string {
  const isAhead = state === 'waiting' && dueAt !== null && Date.parse(dueAt) > now;
  const due = isAhead ? `scheduled for ${momentIn(dueAt, timeZone).slice(0, -3)}` : null;
  const tried = tries > 1 ? `${tries} tries` : null;
  return [note, due, tried].filter(Boolean).join(' · ');
}
