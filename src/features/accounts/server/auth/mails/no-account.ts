import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

/** Demo mode only, where every wait for a mail ends in one: a real installation writes nothing to strangers. */
export const noAccountMail = ({ to, link }: { to: string; link: string }): Promise<MailMessage> =>
  renderMail({
    kind: 'no-account',
    to,
    subject: 'There is nothing to do for this address',
    title: 'There is nothing to do for this address',
    lines: [`No ${BRAND.name} account waits for a mail at this address. Outside the demo this mail would not exist.`],
    action: { label: 'Sign up', url: link },
    because: 'somebody asked for a mail to this address.',
  });
