import type { MessageStatus } from '#features/contact/contract.ts';
import type { Tone } from '#ui/badge.tsx';

export const MESSAGE_STATUSES: Record<MessageStatus, { words: string; tone: Tone }> = {
  new: { words: 'New', tone: 'accent' },
  open: { words: 'Open', tone: 'warn' },
  settled: { words: 'Settled', tone: 'up' },
  spam: { words: 'Spam', tone: 'plain' },
};
