import { renderMail } from '#server/platform/mail/layout.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { dateTime } from '#shared/format.ts';

import { inDays, KEPT, type PlanMail } from './words.ts';

type Input = PlanMail & { end: Date; days: number };

export const trialEndsMail = ({ to, end, days, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'trial-ends',
    to,
    subject: `Your trial of Pro ends ${inDays(days)}`,
    title: `Your trial of Pro ends ${inDays(days)}`,
    lines: ['Then your account is free again by itself: nothing is charged, and there is nothing to cancel.', KEPT],
    facts: [{ label: 'Ends', value: dateTime(end.getTime()) }],
    action: { label: 'Keep Pro', url: link },
    because: 'your trial is about to end.',
  });

export const trialEndedMail = ({ to, end, link }: PlanMail & { end: Date }): Promise<MailMessage> =>
  renderMail({
    kind: 'trial-ended',
    to,
    subject: 'Your trial of Pro has ended',
    title: 'Your trial of Pro has ended',
    lines: ['Your account is free again, and nothing was charged.', KEPT],
    facts: [{ label: 'Ended', value: dateTime(end.getTime()) }],
    action: { label: 'See the plans', url: link },
    because: 'your trial has ended.',
  });
