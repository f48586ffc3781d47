import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

export const resetMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'reset',
    to,
    subject: 'Reset your password',
    title: 'Reset your password',
    lines: [`Choose a new password for your ${BRAND.name} account. This signs out every device.`],
    action: { label: 'Choose a new password', url: link },
    after: [
      'The link works once and expires in 60 minutes.',
      'If you did not request this, ignore this email. Your password stays the same.',
    ],
    because: 'someone requested a new password for this account.',
  });
