import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  wrong: number;
  /** No further code of the app is accepted. */
  stopped: boolean;
  device: string;
  network: string;
  at: Date;
  /** Where a new password can be asked for. */
  link: string;
};

export const wrongCodesMail = ({ to, wrong, stopped, device, network, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'wrong-codes',
    to,
    subject: stopped ? 'Authenticator codes are no longer accepted' : 'Wrong two-factor codes entered',
    title: stopped ? 'Authenticator codes are no longer accepted' : 'Wrong two-factor codes entered',
    lines: [
      `${wrong} wrong codes in a row were entered for your account by someone who has your password or an open session.`,
      ...(stopped
        ? [
            'Sign in with a backup code or a passkey, or choose a new password. Authenticator codes are accepted again after that.',
          ]
        : ['If this was you, no action is needed.']),
    ],
    facts: [
      { label: 'Device', value: device },
      { label: 'Network', value: network },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'This was not me', url: link },
    after: ['If this was not you, choose a new password now. That signs out every device.'],
    because: 'we always report attempts to sign in as you.',
  });
