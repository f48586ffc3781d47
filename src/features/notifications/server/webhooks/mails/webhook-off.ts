import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  /** The name given by its owner. */
  name: string;
  host: string;
  reason: string;
  at: Date;
  /** The notification settings of the profile. */
  link: string;
};

export const webhookOffMail = ({ to, name, host, reason, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'webhook-off',
    to,
    subject: 'A webhook was disabled',
    title: 'A webhook was disabled',
    lines: ['One of your webhooks no longer receives notifications. Your other channels are unaffected.'],
    facts: [
      { label: 'Webhook', value: name },
      { label: 'Host', value: host },
      { label: 'Reason', value: reason },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'View your webhooks', url: link },
    after: ['Once the URL works again, send a test and re-enable the webhook.'],
    because: 'a webhook on your account stopped working.',
  });
