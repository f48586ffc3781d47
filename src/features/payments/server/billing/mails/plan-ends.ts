import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

import { inDays, KEPT, type PlanMail } from './words.ts';

type Input = PlanMail & { end: Date };

const RENEW = 'Renew before it ends or during the grace period and your plan continues without losing a day.';

export const planEndsMail = ({ to, plan, end, days, link }: Input & { days: number }): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-ends',
    to,
    subject: `${PLAN_NAMES[plan]} ends ${inDays(days)}`,
    title: `${PLAN_NAMES[plan]} ends ${inDays(days)}`,
    lines: ['Your plan does not renew automatically.', RENEW],
    facts: [
      { label: 'Plan', value: PLAN_NAMES[plan] },
      { label: 'Ends', value: dateTime(end.getTime()) },
    ],
    action: { label: 'Renew', url: link },
    because: 'your plan is about to end.',
  });

export const graceBegunMail = ({ to, plan, end, until, link }: Input & { until: Date }): Promise<MailMessage> =>
  renderMail({
    kind: 'grace-begun',
    to,
    subject: `${PLAN_NAMES[plan]} has ended (three-day grace period)`,
    title: `${PLAN_NAMES[plan]} has ended (three-day grace period)`,
    lines: ['Your paid period has ended. Your plan stays active during a short grace period.', RENEW],
    facts: [
      { label: 'Ended', value: dateTime(end.getTime()) },
      { label: 'Active until', value: dateTime(until.getTime()) },
    ],
    action: { label: 'Renew', url: link },
    because: 'your plan has ended.',
  });

export const planEndedMail = ({ to, plan, end, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-ended',
    to,
    subject: `${PLAN_NAMES[plan]} has ended`,
    title: `${PLAN_NAMES[plan]} has ended`,
    lines: ['Your account is now on the Free plan.', KEPT],
    facts: [{ label: 'Ended', value: dateTime(end.getTime()) }],
    action: { label: 'Renew', url: link },
    because: 'your plan has ended.',
  });
