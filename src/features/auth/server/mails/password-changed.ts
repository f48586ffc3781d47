import { renderMail } from '#server/platform/mail/layout.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = { to: string; at: Date /** Where a new password can be asked for. */; link: string };

export const passwordChangedMail = ({ to, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'password-changed',
    to,
    subject: 'Your password was changed',
    title: 'Your password was changed',
    lines: ['The password of your account is a new one now. If this was you, there is nothing to do.'],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    action: { label: 'This was not me', url: link },
    after: ['If it was not you, choose a new password at once. That signs out every device.'],
    because: 'changes of how you sign in are always told to you.',
  });
