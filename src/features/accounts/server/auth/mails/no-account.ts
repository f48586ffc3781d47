import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

/** Demo mode only, where every wait for a mail ends in one: a real installation writes nothing to strangers. */
export const noAccountMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'no-account',
    to,
    subject: 'No action is needed for this address',
    title: 'No action is needed for this address',
    lines: [
      `No ${BRAND.name} account is expecting an email at this address. Outside the demo, this email would not be sent.`,
    ],
    action: { label: 'Sign up', url: link },
    because: 'someone requested an email to this address.',
  });
