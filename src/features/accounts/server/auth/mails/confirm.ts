import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

export const confirmMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'confirm',
    to,
    subject: 'Confirm your email address',
    title: 'Confirm your email address',
    lines: [`Confirm that this address is yours to activate your ${BRAND.name} account.`],
    action: { label: 'Confirm email address', url: link },
    after: ['The link works once and expires in 24 hours.', 'If you did not sign up, ignore this email.'],
    because: 'someone signed up with this address.',
  });
