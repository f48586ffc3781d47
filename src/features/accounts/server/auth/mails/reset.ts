import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

export const resetMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'reset',
    to,
    subject: 'Reset your password',
    title: 'Reset your password',
    lines: [`Choose a new password for your ${BRAND.name} account. Every device will be signed out then.`],
    action: { label: 'Choose a new password', url: link },
    after: [
      'The link works once and for 60 minutes.',
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
    because: 'somebody asked for a new password for this account.',
  });
