import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

/** Goes to the new address. */
export const emailChangeConfirmMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'email-change-confirm',
    to,
    subject: 'Confirm your new email address',
    title: 'Confirm your new email address',
    lines: [`Confirm that ${to} is yours to move your ${BRAND.name} account to it.`],
    action: { label: 'Confirm new address', url: link },
    after: [
      'The link works once and expires in 24 hours. Until you confirm, the account keeps its old address.',
      'If you did not request this, ignore this email.',
    ],
    because: 'it was entered as the new address of an account.',
  });
