import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime } from '#shared/format.ts';

type Input = { to: string; at: Date; byAdmin: boolean };

export const accountDeletedMail = ({ to, at, byAdmin }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'account-deleted',
    to,
    subject: 'Your account was deleted',
    title: 'Your account was deleted',
    lines: [
      `${byAdmin ? 'An administrator deleted your account. ' : ''}Your ${BRAND.name} account and its personal data have been removed, and every device is signed out. Payment records are kept for as long as the law requires.`,
    ],
    facts: [{ label: 'Time', value: dateTime(at.getTime()) }],
    after: [byAdmin ? 'If you think this is a mistake, contact us.' : 'If this was not you, contact us now.'],
    because: 'the account with this address was deleted.',
  });
