import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  /** In words, such as 'Chrome on Windows'. */
  device: string;
  network: string;
  at: Date;
  /** To /app/profile?tab=security */
  link: string;
};

export const newSignInMail = ({ to, device, network, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'new-sign-in',
    to,
    subject: 'New sign-in to your account',
    title: 'New sign-in to your account',
    lines: ['A new device signed in to your account. If this was you, no action is needed.'],
    facts: [
      { label: 'Device', value: device },
      { label: 'Network', value: network },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your devices', url: link },
    after: ['If this was not you, sign out that device and change your password.'],
    because: 'we always report sign-ins from new devices.',
  });
