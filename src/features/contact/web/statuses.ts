import type { Tone } from '#web/ui/badge.tsx';

import type { MessageStatus } from '../contract.ts';

export const MESSAGE_STATUSES: Record<MessageStatus, { words: string; tone: Tone }> = {
  new: { words: 'New', tone: 'accent' },
  open: { words: 'Open', tone: 'warn' },
  settled: { words: 'Settled', tone: 'up' },
  spam: { words: 'Spam', tone: 'plain' },
};
