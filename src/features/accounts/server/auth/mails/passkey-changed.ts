import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';

type Input = {
  to: string;
  change: 'added' | 'removed';
  /** As its owner calls it. */
  name: string;
  at: Date;
  /** To /app/profile?tab=security */
  link: string;
};

export const passkeyChangedMail = ({ to, change, name, at, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'passkey-changed',
    to,
    subject: `A passkey was ${change}`,
    title: `A passkey was ${change}`,
    lines: [change === 'added' ? 'A new passkey can now sign in to your account.' : 'A passkey can no longer sign in.'],
    facts: [
      { label: 'Passkey', value: name },
      { label: 'Time', value: dateTime(at.getTime()) },
    ],
    action: { label: 'Check your passkeys', url: link },
    after: ['If this was not you, remove any passkey you do not recognize and change your password.'],
    because: 'we always report changes to how you sign in.',
  });
