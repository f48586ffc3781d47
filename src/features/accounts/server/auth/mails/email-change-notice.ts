import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = { to: string; newEmail: string; at: Date /** To /app/profile?tab=security */; link: string };

/** Goes to the old address. */
export const emailChangeNoticeMail = ({ to, newEmail, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'email-change-notice',
    to,
    subject: 'Your email address is about to change',
    title: 'Your email address is about to change',
    lines: [
      'A new email address was entered for your account. Once it is confirmed, this address can no longer sign in.',
    ],
    facts: [
      { label: 'New address', value: newEmail },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your account', url: link },
    after: ['If this was not you, change your password now. That also cancels the pending address.'],
    because: 'we always report changes to how you sign in.',
  });
