import { renderMail } from '#server/platform/mail/layout.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';
import { BRAND } from '#shared/brand.ts';

type Input = { to: string /** By the name people read. */; planName: string; link: string };

/** A renewal was refused by the bank. */
export const cardRefusedMail = ({ to, planName, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'card-refused',
    to,
    subject: `Your card was declined for ${planName}`,
    title: 'Your card was declined',
    lines: [
      `The renewal of ${BRAND.name} ${planName} could not be charged. Your plan goes on for three days after its end, and the card is tried again on some of the next days.`,
      'Put in another card under Manage Subscription: it is charged at once, and nothing is lost.',
    ],
    action: { label: 'Manage Subscription', url: link },
    because: 'a payment for your plan was declined.',
  });
