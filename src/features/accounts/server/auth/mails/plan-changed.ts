import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  /** By the name people read, such as 'Premium+'. */
  planName: string;
  /** Null when it has no end. */
  until: Date | null;
  /** To the subscription of the profile. */
  link: string;
};

/** An administrator has set the plan. */
export const planChangedMail = ({ to, planName, until, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-changed',
    to,
    subject: `Your plan is now ${planName}`,
    title: `Your plan is now ${planName}`,
    lines: ['An administrator changed your plan. The change applies now, on every device.'],
    facts: [
      { label: 'Plan', value: planName },
      { label: 'Until', value: until ? dateTime(until.getTime()) : 'No end date' },
    ],
    action: { label: 'View your plan', url: link },
    because: 'the plan on your account changed.',
  });
