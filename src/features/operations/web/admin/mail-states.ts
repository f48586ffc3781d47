import type { OutboxMail } from '#features/operations/contract/admin.ts';
import type { Tone } from '#ui/badge.tsx';

export const MAIL_STATES: Record<OutboxMail['state'], { words: string; tone: Tone }> = {
  kept: { words: 'Outbox only', tone: 'plain' },
  waiting: { words: 'Waiting', tone: 'warn' },
  sent: { words: 'Sent', tone: 'up' },
  failed: { words: 'Failed', tone: 'down' },
};
