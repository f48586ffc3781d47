import type { Tone } from '#web/ui/badge.tsx';

import type { OutboxMail } from '../contract.ts';

export const MAIL_STATES: Record<OutboxMail['state'], { words: string; tone: Tone }> = {
  kept: { words: 'Kept here', tone: 'plain' },
  waiting: { words: 'Waiting', tone: 'warn' },
  sent: { words: 'Sent', tone: 'up' },
  failed: { words: 'Failed', tone: 'down' },
};
