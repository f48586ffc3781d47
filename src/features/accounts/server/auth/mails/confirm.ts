import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

export const confirmMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'confirm',
    to,
    subject: 'Confirm your email address',
    title: 'Confirm your email address',
    lines: [`One step is left: confirm that this address is yours, and your ${BRAND.name} account is ready.`],
    action: { label: 'Confirm email address', url: link },
    after: ['The link works once and for 24 hours.', 'If you did not sign up, ignore this mail: nothing happens.'],
    because: 'somebody signed up with this address.',
  });
