import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type {
  Audience,
  BotState,
  Broadcast,
  CommandName,
  CommandOutcome,
} from '#features/notifications/contract/telegram.ts';
import { grouped } from '#shared/format.ts';
import type { Tone } from '#ui/badge.tsx';

export const AUDIENCE_WORDS: Record<Audience, string> = {
  all: 'All connected chats',
  free: `${PLAN_NAMES.free} only`,
  pro: `${PLAN_NAMES.pro} only`,
  premium: `${PLAN_NAMES.premium} only`,
};

export const people = (count: number): string => `${grouped(count)} ${count === 1 ? 'person' : 'people'}`;

export const COMMAND_WORDS: Record<CommandName, string> = {
  start: '/start',
  verify: '/verify',
  status: '/status',
  help: '/help',
  stop: '/stop',
  other: 'Other',
};

export const OUTCOME_WORDS: Record<CommandOutcome, { words: string; tone: Tone }> = {
  welcomed: { words: 'Welcomed', tone: 'plain' },
  back_again: { words: 'Reconnected', tone: 'up' },
  announcements_on: { words: 'Announcements on', tone: 'up' },
  announcements_off: { words: 'Announcements off', tone: 'warn' },
  connected: { words: 'Connected', tone: 'up' },
  wrong_code: { words: 'Invalid or expired code', tone: 'down' },
  no_code: { words: 'Code missing', tone: 'warn' },
  too_many_tries: { words: 'Too many attempts', tone: 'down' },
  is_connected: { words: 'Replied: connected', tone: 'plain' },
  is_silent: { words: 'Replied: notifications off', tone: 'plain' },
  not_connected: { words: 'Replied: not connected', tone: 'plain' },
  explained: { words: 'Replied: commands', tone: 'plain' },
  private_only: { words: 'Rejected in a group chat', tone: 'warn' },
};

export const BROADCAST_STATES: Record<Broadcast['state'], { words: string; tone: Tone }> = {
  running: { words: 'Sending', tone: 'accent' },
  stopping: { words: 'Stopping', tone: 'warn' },
  sent: { words: 'Sent', tone: 'up' },
  cancelled: { words: 'Canceled', tone: 'warn' },
};

/** Longer than a poll is held open, so that Telegram has answered at least once. */
const READ_WITHIN_MS = 120_000;

/** Status of the bot as a short label. */
export function botCondition(bot: BotState, now: number): { words: string; tone: Tone } {
  if (bot.mode === 'off') return { words: 'Not set up', tone: 'warn' };
  const readAt = bot.readAt ? Date.parse(bot.readAt) : 0;
  const goodAt = Math.max(readAt, bot.webhook?.registeredAt ? Date.parse(bot.webhook.registeredAt) : 0);
  if (bot.error && Date.parse(bot.error.at) > goodAt) return { words: 'Failing', tone: 'down' };
  if (!bot.worker?.isHeld) return { words: 'No worker', tone: 'down' };
  if (bot.mode === 'webhook') return { words: 'Webhook', tone: 'up' };
  return now - readAt > READ_WITHIN_MS ? { words: 'Not polling', tone: 'warn' } : { words: 'Polling', tone: 'up' };
}
