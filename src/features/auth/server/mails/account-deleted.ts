import { renderMail } from '#server/platform/mail/layout.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';

export const accountDeletedMail = ({ to, at }: { to: string; at: Date }): Promise<MailMessage> =>
  renderMail({
    kind: 'account-deleted',
    to,
    subject: 'Your account was deleted',
    title: 'Your account was deleted',
    lines: [
      `Your ${BRAND.name} account and its personal data are removed, and every device is signed out. Records of payments are kept for as long as the law asks for them.`,
    ],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    after: ['If this was not you, write to us at once.'],
    because: 'the account with this address was deleted.',
  });
